/** Words of which one holds at a time: choices for one purpose, and opposites. */

/**
 * One line a purpose; a word may stand in several. Where words stand before a colon, a project needs one choice for that
 * purpose, and those words tell that a sentence is about it (`errors go to …`).
 */
const CHOICES = `
install add dependencies manage lock file lockfile workspaces clone pull: npm pnpm yarn bun
install add dependencies manage lock file lockfile virtualenv environment: pip poetry uv pipenv conda pdm
test spec suite unit run: jest vitest mocha jasmine ava
test spec suite unit run: pytest unittest nose
test spec suite browser e2e ui: cypress playwright selenium puppeteer
format formatter style: prettier biome dprint
format formatter style: black ruff yapf autopep8
lint linter rules: eslint biome oxlint tslint
lint linter: flake8 ruff pylint
type check checker typing static: mypy pyright pyre
postgres mysql mariadb sqlite mongodb oracle
snowflake bigquery redshift databricks clickhouse duckdb
redis memcached valkey
kafka rabbitmq nats sqs pubsub kinesis
react vue svelte angular preact
bundle bundler build: webpack vite rollup esbuild parcel turbopack
express fastify koa hono
flask fastapi django
validate validation schema input: zod joi yup ajv valibot
http calls requests client fetch made: axios ky superagent undici
moment dayjs luxon
log logger logging: winston pino bunyan
orm: prisma drizzle typeorm knex sequelize kysely
state client store held kept: redux zustand mobx jotai recoil
infrastructure code iac cloud provision: terraform pulumi cloudformation cdk opentofu
image build built: docker podman
ci pipeline build job run: jenkins circleci buildkite travis github-actions gitlab-ci teamcity
github gitlab bitbucket
ticket issue task bug tracker file tracked live kept open story stories: jira asana trello linear clickup
slack teams discord
error exception tracker tracking crash report reported sent: sentry bugsnag rollbar
datadog newrelic grafana
vercel netlify fly heroku cloudflare
aws gcp azure
graphql grpc trpc
master main trunk
squash rebase
tabs spaces
camelcase snake_case kebab-case pascalcase
uuid ulid nanoid cuid bigint
migration schema written managed: flyway liquibase alembic dbmate
nx turbo lerna bazel
log logger logging: loguru structlog
httpx aiohttp
okhttp retrofit
junit testng spock
mockito easymock mockk
tailwind bootstrap
secret credential key read fetch come kept stored: vault doppler infisical
json yaml toml protobuf avro msgpack
parquet csv orc
elasticsearch opensearch solr meilisearch typesense
airflow dagster prefect luigi
semver calver
lf crlf
utf-8 utf-16 latin-1
eur usd gbp
cents euros dollars
gzip brotli zstd
bcrypt argon2 scrypt
sha256 md5 sha1
kotlin java
english german french spanish italian portuguese dutch polish
celery dramatiq rq bullmq rabbitmq sidekiq resque kafka sqs
nginx caddy apache traefik
mercurial git svn
hibernate jooq mybatis
chart deploy deployed: helm kustomize
tox nox
nunit xunit mstest
rspec minitest
rubocop standardrb
sidekiq resque
puma unicorn passenger
gin echo fiber
actix axum rocket
feature flag toggle: launchdarkly unleash flagsmith
stripe adyen braintree paypal
email mail send sent: sendgrid mailgun postmark ses
login auth authentication identity sign-in: auth0 okta keycloak cognito
s3 gcs minio
cloudfront fastly akamai
amplitude mixpanel posthog
intercom zendesk freshdesk
confluence notion
mkdocs docusaurus sphinx vitepress
chromatic percy
msw nock
lodash ramda underscore
gson jackson moshi
cocoapods carthage
gunicorn uvicorn hypercorn
pandas polars
chart plot draw figure: matplotlib seaborn plotly bokeh altair
chart draw plot: echarts recharts chartjs d3 highcharts
pytorch tensorflow jax
fivetran airbyte
tableau looker metabase superset
cli command argument parse: argparse click typer
pydantic marshmallow attrs
websockets sse polling
trace debug info warn
integers decimals floats
sqlalchemy peewee
swiftui uikit
monday tuesday wednesday thursday friday saturday sunday
january february april june july august september october november december
utc cet est pst gmt
daily weekly monthly hourly nightly quarterly biweekly
apache mit gpl agpl bsd mpl
build built: maven gradle
log logger logging: log4j logback slf4j
markdown asciidoc restructuredtext rst
deploy deployed: ansible fabric chef puppet saltstack
docs rendered generated: redoc swagger
app mobile written: flutter react-native ionic xamarin
load performance test: k6 jmeter gatling locust
analysis static: sonarqube pmd checkstyle
semicolon semicolons comma commas
`;

const OPPOSITES = `
enable disable|enabled disabled|true false|before after|required optional|mandatory optional|allow forbid
allowed forbidden|allowed prohibited|sync async|synchronous asynchronous|ascending descending|asc desc|public private
uppercase lowercase|sequentially parallel|serially parallel|serial parallel|sequential parallel|single double|strict loose
singular plural|manual automatic|manually automatically|include exclude|included excluded|first last|relative absolute
open closed|eager lazy|mutable immutable|opt-in opt-out|nullable non-nullable|top bottom|encrypted unencrypted
signed unsigned|online offline|soft hard|dark light|inclusive exclusive|merge rebase|merge squash
`;

interface Line {
  readonly choices: ReadonlySet<string>;
  readonly purpose: readonly string[];
}

const lines: readonly Line[] = CHOICES.trim()
  .split("\n")
  .map((line) => {
    const [choices = "", purpose = ""] = line.split(": ").reverse();
    return { choices: new Set(choices.split(" ")), purpose: purpose.split(" ").filter((word) => word !== "") };
  });
const linesOf = new Map<string, readonly Line[]>();
for (const line of lines) for (const word of line.choices) linesOf.set(word, [...(linesOf.get(word) ?? []), line]);
const opposites = new Map<string, Set<string>>();
for (const pair of OPPOSITES.trim().split(/\||\n/)) {
  const [one = "", other = ""] = pair.split(" ");
  opposites.set(one, new Set([...(opposites.get(one) ?? []), other]));
  opposites.set(other, new Set([...(opposites.get(other) ?? []), one]));
}

/** Values that are known by their shape: regions of the clouds, locales. */
const SHAPES = [
  /^(?:us|eu|ap|sa|ca|me|af|il|cn)-(?:gov-)?(?:north|south|east|west|central)+-?\d$/,
  /^(?:en|de|fr|es|it|pt|nl|pl|sv|da|fi|nb|cs|tr|ru|ja|ko|zh)-(?:us|gb|de|at|ch|fr|ca|es|mx|it|pt|br|nl|be|pl|se|dk|fi|no|cz|tr|ru|jp|kr|cn|tw)$/,
];

/** Whether two different words are choices for one purpose. */
export function areRivals(a: string, b: string): boolean {
  return a !== b && (lineOf(a, b) !== undefined || SHAPES.some((shape) => shape.test(a) && shape.test(b)));
}

/** Words that tell what two rivals are for; empty where a project may well have both. */
export function purposeOf(a: string, b: string): readonly string[] {
  return lineOf(a, b)?.purpose ?? [];
}

function lineOf(a: string, b: string): Line | undefined {
  return linesOf.get(a)?.find(({ choices }) => choices.has(b));
}

export function isChoice(word: string): boolean {
  return linesOf.has(word) || SHAPES.some((shape) => shape.test(word));
}

export function areOpposites(a: string, b: string): boolean {
  return opposites.get(a)?.has(b) === true;
}

/** What may be put in a word's place: for finding texts that may contradict one with this word. */
export function rivalsOf(word: string): string[] {
  const others = (linesOf.get(word) ?? []).flatMap(({ choices }) => [...choices]);
  return [...new Set([...others, ...(opposites.get(word) ?? [])])].filter((other) => other !== word);
}
