/** One group of settings, as the page shows them. */
export interface SettingGroup {
  readonly title: string;
  readonly note?: string;
  /**
   * Settings by name, each with its default and meaning. An empty default means that the setting is absent by default.
   */
  readonly settings: Readonly<Record<string, Described>>;
}

export interface Described {
  readonly byDefault?: string;
  readonly meaning: string;
}

const of = (byDefault: string, meaning: string): Described => ({ byDefault, meaning });
const absent = (meaning: string): Described => ({ meaning });

/**
 * All settings, each in one group. The bounds of values are not written here: they come from the code that reads the
 * environment.
 */
export const settingGroups: readonly SettingGroup[] = [
  {
    title: 'Address and folders',
    settings: {
      PORT: of('`5678`', 'Port to listen on. `0` takes a free one.'),
      HOST: of('`127.0.0.1`', 'Address to listen on.'),
      ROWGATE_BASE_URL: of(
        '`http://HOST:PORT`',
        'Root of every URL that Rowgate hands out, and the issuer of its tokens. With `https`, cookies are `Secure` and answers promise TLS.',
      ),
      ROWGATE_DATA_DIR: of(
        '`.rowgate`',
        'Folder for the embedded cluster, generated secrets and generated passwords.',
      ),
      ROWGATE_METADATA: of(
        '`metadata`',
        'Metadata folder of every command and of `serve`. The option `--metadata` wins.',
      ),
      NODE_ENV: absent('`production` turns the console off.'),
    },
  },
  {
    title: 'Databases',
    note: 'Connection strings are explained in [Settings and secrets](../deployment/settings.md); poolers in [Connection poolers](../deployment/poolers.md).',
    settings: {
      DATABASE_URL: absent(
        'Login that owns the tables. `apply` and `migrate` use it, requests never do, except those to `/admin`. Absent, and no gateway login given: the embedded Postgres.',
      ),
      ROWGATE_GATEWAY_DATABASE_URL: of('made by `apply`', 'Login that serves requests.'),
      ROWGATE_SIDECAR_DATABASE_URL: of('made by `migrate`', 'Login that keeps sessions and keys.'),
      DATABASE_DIRECT_URL: of(
        "the gateway's login",
        'Connection for `LISTEN` that passes no pooler.',
      ),
      ROWGATE_ROLE_PREFIX: of(
        '`rowgate_<database>_`',
        'Start of the names of Postgres roles, which all databases of a cluster share.',
      ),
      ROWGATE_POOL_SIZE: of('`10`', 'Connections for requests, shared by callers.'),
      ROWGATE_ACTOR: of(
        'the user of the system',
        'The person or program that the history of `apply` names.',
      ),
      ROWGATE_DRIFT_INTERVAL: of(
        '`60`',
        'Seconds between two looks for drift while serving. `0`: none.',
      ),
    },
  },
  {
    title: 'Secrets',
    note: 'How to replace one without downtime: [Rotate a secret](../deployment/settings.md#rotate-a-secret).',
    settings: {
      ROWGATE_ADMIN_SECRET: of(
        'generated with the embedded Postgres',
        'Lets its bearer act in any role. Required with `DATABASE_URL`.',
      ),
      ROWGATE_SECRET_KEY: of(
        'generated with the embedded Postgres',
        'Signs cookies and encrypts signing keys. Required with `DATABASE_URL`, except for `--only graphql`.',
      ),
      ROWGATE_PREVIOUS_SECRET_KEY: absent(
        'The secret key before a change. It still opens cookies and keys.',
      ),
      ROWGATE_PLATFORM_ADMIN_SECRET: of(
        'generated with the embedded Postgres',
        'Value of `x-platform-api-token`: event triggers and schedules send it to paths of this server, and those paths demand it. Two values, with a comma, while one replaces the other.',
      ),
      ROWGATE_METRICS_TOKEN: absent(
        'Bearer token that `GET /metrics` demands. Two values, with a comma, while one replaces the other. Absent: the endpoint refuses every caller.',
      ),
      ROWGATE_CUSTODY_WEBHOOK_SECRET: absent(
        'Key with which the custody provider signs its calls; one or two. Absent: its calls are refused.',
      ),
      ROWGATE_CARD_WEBHOOK_SECRET: absent(
        'Key with which the card issuer signs its calls; one or two. Absent: its calls are refused.',
      ),
      ROWGATE_KYC_WEBHOOK_SECRET: absent(
        'Key with which the KYC provider signs its calls; one or two. Absent: its calls are refused.',
      ),
    },
  },
  {
    title: 'Callers and sign-in',
    note: 'See [Sign in](../clients/authentication.md), [Sign in your own users](../deployment/authentication.md) and [Identity provider](../platform/identity-provider.md).',
    settings: {
      ROWGATE_JWT_SECRET: absent(
        "JWT authentication in Hasura's JSON form, or a list of such objects. Absent: `authentication.jwt` of `rowgate.yaml`, or no tokens.",
      ),
      ROWGATE_AUTH_HOOK: absent(
        'Address of a webhook that identifies callers. Absent: `authentication.webhook` of `rowgate.yaml`, or none.',
      ),
      ROWGATE_AUTH_HOOK_MODE: of('`GET`', 'How the webhook is called.'),
      ROWGATE_AUTH_HOOK_TIMEOUT_MS: of('`10000`', 'Milliseconds that the webhook may take.'),
      ROWGATE_AUTH_HOOK_CLAIMS_PREFIX: of(
        '`ROWGATE_HEADER_PREFIX`, or `x-hasura-`',
        'Prefix of the role and the session variables in its answers.',
      ),
      ROWGATE_AUTH_HOOK_CREDENTIAL_HEADERS: of(
        '`Authorization, Cookie`',
        'Headers with credentials, with commas. A request without any of them has `ROWGATE_UNAUTHORIZED_ROLE`.',
      ),
      ROWGATE_IDP_ISSUER: absent(
        'Identity provider of the platform, exactly as its tokens name it in `iss`. Refused without an application.',
      ),
      ROWGATE_IDP_AUDIENCE: absent(
        'Values that tokens for this service have in `aud`, with commas. Required beside the issuer.',
      ),
      ROWGATE_IDP_ALGORITHMS: of('`RS256`', 'Accepted signature algorithms, with commas.'),
      ROWGATE_IDP_JWKS_URL: of('from the discovery document', "Address of the provider's keys."),
      ROWGATE_IDP_LOGOUT_URL: of(
        'from the discovery document',
        "Address of the provider's logout. It receives `returnTo`.",
      ),
      ROWGATE_IDP_CLIENT_ID: absent("This service's client id, sent to the logout."),
      ROWGATE_IDP_EMAIL_CLAIM: of(
        '`email`',
        'Claim with the e-mail address. `<claim>_verified` says whether it is verified.',
      ),
      ROWGATE_IDP_LOG_ALLOWLIST: absent(
        "Addresses of the identity provider's log stream: `203.0.113.7, 203.0.113.0/24`. Absent: its calls are refused.",
      ),
      ROWGATE_SIGN_UP: of('`open`', '`invited`: only people who were entered before may sign in.'),
      ROWGATE_APP_ORIGINS: absent(
        'Origins of web applications that may call and be returned to, with commas: `https://app.example.com`.',
      ),
      ROWGATE_TRUST_PROXY: absent(
        'Proxies that report the address of a caller: a number, or their addresses (`10.0.0.0/8`, `loopback`, `uniquelocal`).',
      ),
      ROWGATE_UNAUTHORIZED_ROLE: absent(
        'Role of GraphQL requests without credentials, never `admin`. Absent: they are refused.',
      ),
      ROWGATE_HEADER_PREFIX: of(
        '`X-Gql-`',
        'Start of the headers for the role, the secret and session variables, in requests and in rules.',
      ),
      ROWGATE_WALLET_AUDIENCE: of('`wallet-provider`', '`aud` of wallet tokens.'),
      ROWGATE_EXCHANGE_RATE: of(
        '`30`',
        'Per minute and address: exchanges of a token for a session, wrong API keys, wrong secrets and JWTs; each counted apart.',
      ),
      ROWGATE_TOKEN_RATE: of(
        '`60`',
        'Tokens that one address, one person or one API key may request in a minute.',
      ),
    },
  },
  {
    title: 'GraphQL',
    settings: {
      ROWGATE_ALLOW_LIST: of(
        '`false`',
        '`true`: roles other than `admin` run listed operations only.',
      ),
      ROWGATE_STRINGIFY_NUMERIC_TYPES: of('`false`', '`true`: `bigint` and `numeric` are strings.'),
      ROWGATE_INFER_FUNCTION_PERMISSIONS: of(
        '`false`',
        '`true`: a role that may select the rows of a function may call it, if it is a query and not volatile. `check`, `plan` and `apply` read it too.',
      ),
      ROWGATE_CONSOLE: of('on, off in production', 'The console at `/console`.'),
      ROWGATE_CONSOLE_WRITES: of(
        'on, off in production',
        'Whether the console, and the requests below `/admin`, may change something that lasts.',
      ),
      ROWGATE_PERSISTED_QUERY_BYTES: of(
        '`4194304`',
        'Memory for documents that clients have registered by hash. `0`: none.',
      ),
      ROWGATE_PLAN_BYTES: of(
        '`67108864`',
        'Memory for checked documents and their statements, for all roles together.',
      ),
    },
  },
  {
    title: 'Limits of requests',
    note: 'What happens at each limit: [Limits and fair shares](../deployment/limits.md).',
    settings: {
      ROWGATE_MAX_ROWS: of('`10000`', 'Rows of one list. A longer list is an error.'),
      ROWGATE_MAX_RESPONSE_BYTES: of('`16777216`', 'Size of the answer to one operation.'),
      ROWGATE_ANSWER_MEMORY_BYTES: of(
        '`67108864`, or four times `ROWGATE_MAX_RESPONSE_BYTES` if that is more',
        'Bytes of large answers that the process holds at a time; at least twice `ROWGATE_MAX_RESPONSE_BYTES`.',
      ),
      ROWGATE_MAX_BODY_BYTES: of('`1048576`', 'Size of a request.'),
      ROWGATE_MAX_BATCH: of('`10`', 'Operations in one batch.'),
      ROWGATE_MAX_DEPTH: of(
        '`15`',
        'Nesting of fields, and relationships in one path of a condition or ordering.',
      ),
      ROWGATE_MAX_CROSSINGS: of(
        '`50`',
        'Relationships, aggregates and computed fields that the conditions and orderings of one operation follow.',
      ),
      ROWGATE_MAX_TABLES: of(
        '`500`',
        'Tables that one operation reads, including those that rules read.',
      ),
      ROWGATE_STATEMENT_TIMEOUT_MS: of(
        '`15000`',
        'Milliseconds for one statement. A mutation ends within twice that time.',
      ),
      ROWGATE_MAX_WAIT_MS: of(
        '`5000`',
        'Milliseconds that a request waits for a connection before it is answered 503.',
      ),
      ROWGATE_MAX_CONNECTIONS: of(
        '`4000`',
        'Connections of clients, sockets included. Above it, the connection that has gone longest without a whole request is closed.',
      ),
    },
  },
  {
    title: 'Sockets',
    note: 'See [Sockets](../clients/sockets.md).',
    settings: {
      ROWGATE_MAX_SOCKETS: of('`1000`', 'Sockets of one process. `0`: none.'),
      ROWGATE_MAX_SOCKETS_PER_ADDRESS: of(
        '`100`',
        'Sockets from one address, or from one IPv6 network (/64).',
      ),
      ROWGATE_SOCKET_OPERATIONS: of(
        '`4`, or half of `ROWGATE_POOL_SIZE` if that is less',
        'Operations of one socket that run at a time.',
      ),
      ROWGATE_SOCKET_BACKLOG_BYTES: of(
        '`268435456`',
        'Bytes that wait for slow clients, in both directions. Above it, the socket with the most is cut off.',
      ),
      ROWGATE_SOCKET_INIT_TIMEOUT: of(
        '`10`',
        'Seconds until a client must have sent `connection_init`.',
      ),
      ROWGATE_SOCKET_KEEP_ALIVE: of(
        '`25`',
        'Seconds between two pings, and between two comments in an event stream.',
      ),
    },
  },
  {
    title: 'Subscriptions',
    settings: {
      ROWGATE_MAX_SUBSCRIPTIONS: of(
        '`20000`',
        'Subscriptions of one process. One role may hold two thirds of them. `0`: none.',
      ),
      ROWGATE_MAX_SUBSCRIPTIONS_PER_CALLER: of('`100`', 'Subscriptions of one caller.'),
      ROWGATE_MAX_SUBSCRIPTIONS_PER_SOCKET: of('`50`', 'Subscriptions of one socket.'),
      ROWGATE_MAX_LIVE_QUERIES: of(
        '`5000`',
        'Live queries with different answers. Those with equal answers count once.',
      ),
      ROWGATE_SUBSCRIPTION_POOL_SIZE: of(
        '`4`',
        'Database connections of one process for subscriptions, opened when they are needed. One more reads the changes.',
      ),
      ROWGATE_REFETCHES_PER_SECOND: of(
        '`1000`',
        'Fetches of subscriptions that begin in a second for one role; one caller may begin half as many.',
      ),
      ROWGATE_REFETCH_GAP_MS: of(
        '`20`',
        'Milliseconds between two fetches of a live query. Ten subscribers add one millisecond.',
      ),
      ROWGATE_SUBSCRIPTION_POLL: of(
        '`5`',
        'Seconds between two fetches of a live query that can change without a report.',
      ),
      ROWGATE_SUBSCRIPTION_FLOOR_POLL: of(
        '`60`',
        'Seconds between two fetches of any other live query, if no change is reported.',
      ),
      ROWGATE_SUBSCRIPTION_RECHECK: of(
        '`30`',
        'Seconds between two checks of the caller of a subscription.',
      ),
    },
  },
  {
    title: 'Events and webhooks',
    settings: {
      ROWGATE_WEBHOOK_BASE_URL: of(
        '`ROWGATE_BASE_URL`',
        'Address at which workers reach this server, for webhooks that are paths.',
      ),
      ROWGATE_EVENT_RETENTION_DAYS: of(
        '`14`',
        'Days for which delivered and dead events, their attempts and ended asynchronous actions are kept.',
      ),
      ROWGATE_EVENT_CONCURRENCY: of(
        '`100`',
        'Deliveries of a worker at a time, for ordered events and for others each.',
      ),
    },
  },
  {
    title: 'Mail',
    settings: {
      ROWGATE_SMTP_URL: of(
        'files in the data folder with the embedded Postgres, else mails wait',
        'Mail server: `smtps://user:password@mail.example.com`, `smtp://…` with STARTTLS, or `smtp://localhost:25?tls=off`.',
      ),
      ROWGATE_MAIL_FROM: of(
        '`no-reply@` and the host of `ROWGATE_BASE_URL`',
        'Sender. Required beside `ROWGATE_SMTP_URL`.',
      ),
      ROWGATE_MAIL_REPLY_TO: of('the sender', 'Address for replies.'),
    },
  },
  {
    title: 'Files',
    settings: {
      ROWGATE_STORAGE_URL: of(
        '`files` in the data folder',
        'Place of uploaded files: `s3://bucket/folder` or `file:///srv/files`.',
      ),
      ROWGATE_STORAGE_REGION: of('`us-east-1`', 'Region of the bucket.'),
      ROWGATE_STORAGE_ENDPOINT: of("Amazon's", 'Another service that speaks the S3 protocol.'),
      ROWGATE_STORAGE_ACCESS_KEY_ID: of("as Amazon's SDK finds it", 'Key id for the bucket.'),
      ROWGATE_STORAGE_SECRET_KEY: of("as Amazon's SDK finds it", 'Secret for the bucket.'),
    },
  },
  {
    title: 'Documents of the platform',
    settings: {
      ROWGATE_BRAND_NAME: of('`Rowgate`', 'Name above each document and mail, and author of PDFs.'),
      ROWGATE_BRAND_COLOUR: of('`#24566b`', 'Accent colour.'),
      ROWGATE_BRAND_LOGO: absent(
        'PNG or JPEG file of at most 256 KiB and 2048 × 2048 pixels. Absent: the first letter of the name.',
      ),
      ROWGATE_BRAND_ADDRESS: absent('Lines below the name, separated by a vertical bar.'),
      ROWGATE_APP_URL: absent(
        'Application that links in mails lead to, at `/invoices/<id>` and `/receipts/<id>`. Absent: built-in pages that ask to sign in.',
      ),
      ROWGATE_BANK_ACCOUNT: absent(
        'Account that clients pay to, in invoices and deposit mails: terms and values, e.g. `Account holder: Example Ltd|IBAN: GB33 BUKB 2020 1555 5555 55`.',
      ),
      ROWGATE_BRAND_FOOTER: absent('One line below each document.'),
      ROWGATE_DOCUMENT_LOCALE: of('`en-GB`', 'Locale of numbers, money and dates.'),
      ROWGATE_DOCUMENT_WORKERS: of('cores − 1', 'Threads that make PDFs.'),
      ROWGATE_DOCUMENT_QUEUE: of(
        '`32`',
        'PDFs that wait or are being made. Further requests are answered 503.',
      ),
    },
  },
  {
    title: 'Platform',
    settings: {
      ROWGATE_DEFAULT_WALLETS: of(
        '`BTC, ETH, USDC`',
        'Coins of which a new person gets a wallet. `none`: no wallet.',
      ),
      ROWGATE_LARGE_TRANSACTION_USD: of(
        '`10000`',
        'US dollars from which compliance is notified of a transaction.',
      ),
      ROWGATE_PRICE_SOURCES: absent(
        'Sources of coin prices: `coinbase`, `kraken`, `binance`, `coingecko`, each also with another address (`kraken=https://proxy.example.com`). `default`: `coinbase`, `kraken` and `coingecko`, of which two must agree. Absent: no source is queried.',
      ),
      ROWGATE_PRICE_COINS: absent('Coins to price besides those of the wallets: `BTC,ETH`.'),
      ROWGATE_PRICE_QUORUM: of(
        '`1`',
        'Sources that must agree on a price; 2 for the default sources.',
      ),
      ROWGATE_RATE_SOURCES: absent(
        'Sources of currency rates: `ecb`, also with another address, or `default`, which means `ecb`. Absent: no source is queried.',
      ),
      ROWGATE_KYC_BASE_URL: absent('Provider that keeps the files of KYC documents.'),
      ROWGATE_KYC_APP_TOKEN: absent('App token for the provider. Required beside the URL.'),
      ROWGATE_KYC_SECRET_KEY: absent('Signs requests to the provider. Required beside the URL.'),
    },
  },
  {
    title: 'Log',
    note: '[Logging and metrics](../deployment/logging-and-metrics.md) lists the masked data.',
    settings: {
      ROWGATE_LOG_LEVEL: of(
        '`info`',
        'Least level that is written. From `debug` on, headers of requests are logged, masked.',
      ),
      ROWGATE_LOG_REQUESTS: of(
        '`100`',
        'Percentage of requests that are logged. Failed, aborted and slow requests (1 s) are always logged. Refused when the log level is above `info`.',
      ),
    },
  },
];
