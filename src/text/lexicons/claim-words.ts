/** Words that turn a claim round when one takes another's place: names of tools and values, and pairs of opposites. */

const NAMED = `
npm pnpm yarn bun deno node nodejs npx corepack pip pip3 pipenv poetry uv conda mamba pdm hatch cargo maven gradle sbt
bazel nx turbo lerna make cmake ninja just composer bundler nuget go rust python java kotlin scala swift ruby php perl
elixir erlang clojure haskell dart c typescript javascript bash zsh fish powershell
jest vitest mocha ava jasmine karma pytest unittest nose tox nox junit testng rspec minitest cypress playwright selenium
puppeteer storybook postgres postgresql mysql mariadb sqlite redis memcached mongodb cassandra dynamodb snowflake
bigquery redshift databricks clickhouse duckdb elasticsearch opensearch kafka rabbitmq nats sqs pubsub celery sidekiq
airflow dagster prefect dbt spark flink docker podman kubernetes k8s helm terraform pulumi ansible nginx apache caddy
traefik envoy istio aws gcp azure heroku vercel netlify fly cloudflare react preact vue svelte angular solid next nuxt
remix astro express fastify koa hono nest django flask fastapi rails laravel spring quarkus webpack vite rollup esbuild
parcel swc babel tsc eslint biome prettier oxlint ruff black flake8 pylint mypy pyright isort rustfmt clippy gofmt
checkstyle zod joi yup ajv graphql grpc rest soap trpc openapi protobuf thrift avro json yaml toml xml csv parquet
git svn mercurial github gitlab bitbucket gerrit jira linear asana trello notion slack teams discord confluence sentry
datadog grafana prometheus loki jaeger kibana splunk newrelic okta auth0 keycloak cognito oauth oidc saml jwt
master develop trunk staging production dev prod qa uat canary tabs spaces utc gmt cet est pst linux macos windows
ubuntu debian alpine arm64 amd64 x64 x86 chrome firefox safari edge monday tuesday wednesday thursday friday saturday
sunday january february march april june july august september october november december squash rebase merge
`;

const PAIRS = `
enable disable enabled disabled on off true false yes no always never required optional mandatory allow deny allowed
denied permit permitted block blocked sync async synchronous asynchronous min max minimum maximum increase decrease
increased decreased first last success failure succeed succeeds fail fails ascending descending asc desc public private
left right upper lower uppercase lowercase open closed add remove added removed start stop local remote include exclude
included excluded before after up down internal external read write readonly writable mutable immutable nullable
inclusive exclusive safe unsafe valid invalid strict loose lock unlock upgrade downgrade encrypt decrypt manual
automatic manually automatically serial parallel sequential concurrent eager lazy push pull import export soft hard
client server frontend backend early late earlier later faster slower more less most least same different single double
major minor cached uncached stable unstable deprecated supported unsupported online offline hot cold whitelist blacklist
`;

const NAMED_THINGS: ReadonlySet<string> = new Set(NAMED.trim().split(/\s+/));

/** Words with an opposite. */
export const POLES: ReadonlySet<string> = new Set(PAIRS.trim().split(/\s+/));

/** Whether a canonical word names a tool, a branch, a platform or another value that could have been another one. */
export function isNamedThing(word: string): boolean {
  return NAMED_THINGS.has(word);
}
