/** Words of which one holds at a time: choices for one purpose, and opposites. */

/** One line a purpose. A word may stand in several. */
const CHOICES = `
npm pnpm yarn bun
pip poetry uv pipenv conda pdm
jest vitest mocha jasmine ava
pytest unittest nose
cypress playwright selenium puppeteer
prettier biome dprint
black ruff yapf
eslint biome oxlint tslint
flake8 ruff pylint
mypy pyright pyre
postgres postgresql mysql mariadb sqlite mongodb oracle
snowflake bigquery redshift databricks clickhouse duckdb
redis memcached valkey
kafka rabbitmq nats sqs pubsub kinesis
react vue svelte angular preact
webpack vite rollup esbuild parcel turbopack
express fastify koa hono
flask fastapi django
zod joi yup ajv valibot
axios ky superagent
moment dayjs luxon
winston pino bunyan
prisma drizzle typeorm knex sequelize kysely
redux zustand mobx jotai recoil
terraform pulumi cloudformation
docker podman
jenkins circleci buildkite
github gitlab bitbucket
jira asana trello
slack teams discord
sentry bugsnag rollbar
datadog newrelic grafana
vercel netlify fly heroku cloudflare
aws gcp azure
graphql grpc trpc
master main trunk
squash rebase
tabs spaces
camelcase snake_case kebab-case pascalcase
uuid ulid nanoid cuid bigint
flyway liquibase alembic dbmate
nx turbo lerna bazel
loguru structlog
httpx aiohttp
okhttp retrofit
junit testng spock
mockito easymock mockk
tailwind bootstrap
vault doppler infisical
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
english german french spanish
celery dramatiq rq
nginx caddy apache traefik
mercurial git svn
hibernate jooq mybatis
helm kustomize
tox nox
nunit xunit mstest
rspec minitest
rubocop standardrb
sidekiq resque
puma unicorn passenger
gin echo fiber
actix axum rocket
launchdarkly unleash flagsmith
stripe adyen braintree paypal
sendgrid mailgun postmark ses
auth0 okta keycloak cognito
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
matplotlib seaborn plotly
pytorch tensorflow jax
fivetran airbyte
tableau looker metabase superset
argparse click typer
pydantic marshmallow attrs
websockets sse polling
trace debug info warning
integers decimals floats
sqlalchemy peewee
swiftui uikit
monday tuesday wednesday thursday friday saturday sunday
january february april june july august september october november december
utc cet est pst gmt
daily weekly monthly hourly nightly quarterly biweekly
apache mit gpl bsd
maven gradle
log4j logback
`;

const OPPOSITES = `
enable disable|enabled disabled|true false|before after|required optional|mandatory optional|allow forbid
allowed forbidden|allowed prohibited|sync async|synchronous asynchronous|ascending descending|asc desc|public private
uppercase lowercase|sequentially parallel|serially parallel|serial parallel|sequential parallel|single double|strict loose
singular plural|manual automatic|manually automatically|include exclude|included excluded|first last|relative absolute
open closed|eager lazy|mutable immutable|opt-in opt-out|nullable non-nullable|top bottom|encrypted unencrypted
signed unsigned|online offline|soft hard|inclusive exclusive|merge rebase|merge squash
`;

const choices: readonly ReadonlySet<string>[] = CHOICES.trim()
  .split("\n")
  .map((line) => new Set(line.split(" ")));
const opposites = new Map<string, Set<string>>();
for (const pair of OPPOSITES.trim().split(/\||\n/)) {
  const [one = "", other = ""] = pair.split(" ");
  opposites.set(one, new Set([...(opposites.get(one) ?? []), other]));
  opposites.set(other, new Set([...(opposites.get(other) ?? []), one]));
}

/** Values that are known by their shape: regions of the clouds. */
const REGION = /^(?:us|eu|ap|sa|ca|me|af|il|cn)-(?:gov-)?(?:north|south|east|west|central)+-?\d$/;

/** Whether two different words are choices for one purpose. */
export function areRivals(a: string, b: string): boolean {
  if (a === b) return false;
  return choices.some((line) => line.has(a) && line.has(b)) || (REGION.test(a) && REGION.test(b));
}

export function isChoice(word: string): boolean {
  return REGION.test(word) || choices.some((line) => line.has(word));
}

export function areOpposites(a: string, b: string): boolean {
  return opposites.get(a)?.has(b) === true;
}

/** What may be put in a word's place: for finding texts that may contradict one with this word. */
export function rivalsOf(word: string): string[] {
  const others = choices.filter((line) => line.has(word)).flatMap((line) => [...line]);
  return [...new Set([...others, ...(opposites.get(word) ?? [])])].filter((other) => other !== word);
}
