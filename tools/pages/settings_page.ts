/** docs/settings.md: every environment variable, with default and shape from its own schema. */

import type { TSchema } from 'typebox'
import { registry } from '#adapters/registry.ts'
import { type Values, Variables } from '#src/config/variables.ts'
import { page, table } from './markdown.ts'

/** The meaning of each variable; in brackets before it, a default that no schema can state. */
type Meaning = string | readonly [usual: string, meaning: string]

const PEM = 'PEM file, read again when it changes'
const NONE = 'none'
const MEANINGS: Record<keyof Values, Meaning> = {
  MODE:
    'In `live` nothing is simulated, and `MASTER_KEY` or `KMS_URL` is required. A database keeps ' +
    'the mode of its first start; a process or command of the other mode does not run on it.',
  DATABASE_URL: [
    'the embedded PostgreSQL in `DATA_DIR`',
    'PostgreSQL 15 or later, durable. A primary and its standbys are named as ' +
      '`postgresql://user:password@one:5432,two:5432/database`: the process works on the one that ' +
      'takes writes ([failover](operating.md#failover)). `?sslmode=verify-full&sslrootcert=FILE` ' +
      'asks for TLS.',
  ],
  DATABASE_CONNECTIONS: 'The most connections that this process opens, all pools together.',
  DATABASE_ROLE:
    'The role as which the program works. The user of `DATABASE_URL` owns the tables and makes ' +
    'this role where it may; otherwise the start prints the statements for an administrator. ' +
    'Installations of other owners on one server name other roles.',
  DATA_DIR:
    'Database, files, generated keys and `sandbox.json` (0600). A key that `sandbox.json` lacks ' +
    'is made again, and the one before stays valid. Where the account of the embedded PostgreSQL ' +
    'cannot enter the folder, as in the home of root, the database is in `/var/lib/bezant`, and ' +
    'a file here has its path. Where the folder was used with another `DATABASE_URL`, its keys ' +
    'stay as `sandbox-XXXXXXXX.json`, from where a start on that database puts them back.',
  HOST: 'Address of HTTP. In live an address that is not loopback needs `TLS_CERT` or `TRUSTED_PROXIES`.',
  PORT: 'Port of HTTP; 0 lets the system choose.',
  TLS_CERT: [
    'plain HTTP',
    `${PEM}: HTTPS by HTTP/1.1 and HTTP/2, TLS 1.2 or later. The certificate comes first, those ` +
      'between it and its CA follow ([TLS](deploying.md#tls)).',
  ],
  TLS_KEY: [NONE, `${PEM}: the key of \`TLS_CERT\`.`],
  ADMIN_HOST: ['`127.0.0.1`', 'Address of health and metrics where `ADMIN_PORT` is set.'],
  ADMIN_PORT: [
    'health at `PORT`, metrics there in a sandbox and nowhere in live',
    'Health and metrics in plain HTTP on an address of their own; `PORT` then answers 404 for them.',
  ],
  NETWORK_HOST: [
    '`HOST`',
    'Address of the ISO 8583 port; in live without `NETWORK_ALLOW` loopback only.',
  ],
  NETWORK_PORT: 'Port of ISO 8583.',
  NETWORK_DIALECT: 'How fields are written ([iso8583.md](iso8583.md)).',
  NETWORK_HEADER: 'How the length of a message is written.',
  NETWORK_ALLOW: ['any address', 'Addresses that may connect to the ISO 8583 port.'],
  NETWORK_TLS_CERT: ['no TLS', `${PEM}: TLS 1.2 or later at the ISO 8583 port.`],
  NETWORK_TLS_KEY: [NONE, `${PEM}: the key of \`NETWORK_TLS_CERT\`.`],
  NETWORK_TLS_CA: [NONE, `${PEM}: only peers with a certificate that it signed may connect.`],
  NETWORK_CONNECTIONS: 'Connections of the ISO 8583 port at one time; more are closed at once.',
  NETWORK_CONNECTIONS_PER_ADDRESS: 'The same by IPv4 address or IPv6 network (/64).',
  ISSUER_ADDRESS: [
    'this program’s network port',
    'Where the merchant service sends its ISO 8583 messages.',
  ],
  ISSUER_CONNECTIONS: 'Connections to it: where one breaks, the others go on.',
  ISSUER_CLEARING:
    'How captures and refunds reach it: each by a message at once, or all of a day by a ' +
    '[clearing file](acquirer.md#clearing-by-file).',
  NETWORKS_FILE: [
    NONE,
    'JSON file of the card networks, which takes the place of the single port ' +
      '([networks.md](networks.md)); NETWORK_PORT then serves this program alone',
  ],
  ISSUERS_FILE: [
    NONE,
    'A JSON file with further issuers, which merchants name ([acquirer.md](acquirer.md#which-issuer)).',
  ],
  ISSUER_TLS_CA: [
    'no TLS',
    'PEM file, read at the start: the CA of the issuer’s certificate, which must name the host of ' +
      '`ISSUER_ADDRESS`.',
  ],
  ISSUER_TLS_CERT: [NONE, 'PEM file: a client certificate, if the issuer requires one.'],
  ISSUER_TLS_KEY: [NONE, 'PEM file: the key of `ISSUER_TLS_CERT`.'],
  ISSUER_ACS_URL: [
    'no payment page asks',
    'In live, the API of the issuer at which the payment page has the cardholder asked ' +
      '([challenges.md](challenges.md#our-own-payment-page)).',
  ],
  ISSUER_ACS_KEY: [NONE, 'The API key for it, with `write`.'],
  ROLES:
    'The parts that this process runs; any number of each on one database. HTTP is open in each ' +
    'role, and has health and metrics alone without `api`.',
  MASTER_KEY: [
    'made in `DATA_DIR` (sandbox)',
    '32 random bytes in hex: wraps all data keys of the database ([keys.md](keys.md)). A sandbox ' +
      'whose file of it is gone does not start on a database that has keys.',
  ],
  KMS_URL: [
    NONE,
    'A key service instead of `MASTER_KEY` ([keys.md](keys.md)): in live https, or on this host. ' +
      'Both variables together are a fault.',
  ],
  KMS_KEY: [NONE, 'The name of its key.'],
  KMS_TOKEN: [NONE, 'The token for it.'],
  KMS_TOKEN_FILE: [NONE, 'A file with the token, read at every call.'],
  PUBLIC_URL: [
    'own address',
    'The address by which clients reach the program; https with `TLS_CERT`. Links of mails begin ' +
      'with it, and passkeys belong to its host, which is a name for that.',
  ],
  OPERATOR_NAME: 'The name in headers, as `x-bezant-idempotency-key`.',
  PORTAL_SIGN_UP: [
    '`open` in sandbox, `invited` in live',
    'Whether people may sign up by themselves at `POST /portal/v1/registrations`, or only by an ' +
      'invitation. Open in live needs `SMTP_URL`.',
  ],
  TRANSACTIONS_KEPT_DAYS: [
    'all are kept',
    'Days that card transactions are kept: a hold may last a year, and what a clearing leaves of ' +
      'it another. A month with an open hold is kept.',
  ],
  EVENTS_KEPT_DAYS:
    'Days that events are kept. Whole months are dropped, so rows may remain for a month more. A ' +
    'table of a month that was detached by hand is dropped too: rename it to keep it.',
  DELIVERIES_KEPT_DAYS:
    'Days that deliveries of events and their attempts are kept, not longer than the events.',
  MESSAGES_KEPT_DAYS: 'Days that messages of the card network are kept.',
  SCREENING_EVERY_DAYS: [
    'nobody is checked again',
    'Days after which all ACTIVE users are checked again by the provider of KYC or KYB ' +
      '([screening.md](screening.md#further-checks)).',
  ],
  SCREENING_A_MINUTE: 'The most users of a tenant that are checked again in a minute.',
  WIRE_LOG: [
    '`on` in sandbox, `off` in live',
    'Whether messages of the card network are recorded with masked card data, to be shown with ' +
      'their transaction.',
  ],
  LOG_LEVEL: 'What is logged.',
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    'nothing is traced',
    'A collector of OpenTelemetry, which gets spans at `/v1/traces` below it ([traces](operating.md#traces)).',
  ],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [NONE, 'The whole address of the spans, instead.'],
  OTEL_EXPORTER_OTLP_PROTOCOL: 'The form of the spans.',
  OTEL_EXPORTER_OTLP_HEADERS: [NONE, 'Headers of the calls, as `authorization=Bearer%20token`.'],
  OTEL_SERVICE_NAME: 'The name of the program in traces.',
  OTEL_TRACES_SAMPLER:
    'Which traces are kept: all, none or a part; `parentbased` leaves it to the caller who has begun one.',
  OTEL_TRACES_SAMPLER_ARG: 'The part that is kept, by the samplers with a ratio.',
  ALLOWED_HOSTS: [
    NONE,
    'Names by which clients reach the program in `Host`, beside `localhost` and that of ' +
      '`PUBLIC_URL`: another name is answered 421, an address never, nor a request of HTTP/1.0 ' +
      'without `Host`. At `ADMIN_PORT` every name is served.',
  ],
  TRUSTED_PROXIES: [
    'none: the header is ignored',
    'Proxies before the API: the source of a request is the last address of `X-Forwarded-For` that ' +
      'is not one of them, and `X-Forwarded-Proto` names the scheme that the client used. Without ' +
      'it, all clients behind one proxy share one allowance of failed authentications.',
  ],
  BLOB_STORE_URL: [
    'the folder `DATA_DIR/files`',
    'A bucket of an S3-compatible service for uploaded files; configure a lifecycle rule on it ' +
      'that aborts incomplete uploads.',
  ],
  BLOB_STORE_REGION: 'The region of the bucket.',
  BLOB_STORE_ACCESS_KEY: [NONE, 'The access key of the bucket.'],
  BLOB_STORE_SECRET_KEY: [NONE, 'The secret key of the bucket.'],
}

const OF_ADAPTERS: Readonly<Record<string, Meaning>> = {
  ONFIDO_API_TOKEN: [
    'a simulated provider in sandbox; none in live',
    'Identities are verified by Onfido; its webhook is `/identity/onfido/webhook`. It gets JPEG, ' +
      'PNG and PDF of up to 10 MiB, none that waits for a scan. A check that it has not answered ' +
      'in 40 calls, some 30 hours, counts as abandoned.',
  ],
  ONFIDO_WEBHOOK_TOKEN: [NONE, 'Signs the notifications of Onfido; without it reports are polled.'],
  ONFIDO_REGION: 'The region of the account.',
  ONFIDO_BASE_URL: ['the region’s address', 'Another address of its API.'],
  ONFIDO_REFERRER: 'The pages that may run its SDK.',
  ONFIDO_WATCHLIST: [
    'no such report',
    'Persons are checked by this watchlist report of Onfido in KYC and further checks ' +
      '([screening.md](screening.md#onfido)). Not beside Watchman.',
  ],
  ONFIDO_WATCHLIST_CLEAR:
    'What a KYC request whose report is clear is: `review` leaves it to the operator, `pass` ' +
    'passes it.',
  WATCHMAN_URL: [
    'a simulated provider in sandbox; none in live',
    'People and companies are searched in lists of sanctions by Watchman, from its v0.50 on ' +
      '([screening.md](screening.md#watchman)). It has no accounts: let nobody else reach it.',
  ],
  WATCHMAN_MIN_MATCH: 'From which likeness an entry is a match, in per cent.',
  WATCHMAN_LISTS: [
    'all that it has',
    'The lists that count. While one of them is not loaded there, no check is done.',
  ],
  WATCHMAN_CLEAR:
    'What a KYC request without a match is: `review` leaves it to the operator, `pass` passes it.',
  BUREAU_NAME: ['`bureau`', 'The name of the bureau in files of orders ([bureau.md](bureau.md)).'],
  BUREAU_SFTP: [
    'no bureau: in live physical cards stay CREATED',
    'The bureau that makes physical cards takes files here: `sftp://user@host:22/folder`.',
  ],
  BUREAU_SFTP_HOST_KEY: [NONE, 'The fingerprint of its host key, as `ssh-keygen -lf` prints it.'],
  BUREAU_SFTP_KEY: [NONE, 'The private SSH key of this program.'],
  BUREAU_SFTP_PASSWORD: [NONE, 'Or its password.'],
  BUREAU_FOLDER: [NONE, 'In place of SFTP a folder of this machine.'],
  BUREAU_ANSWERS: ['the folder of the files', 'The folder of the answers of the bureau.'],
  BUREAU_PGP_KEY: [NONE, 'The public OpenPGP key of the bureau, which files are encrypted to.'],
  BUREAU_SIGNING_KEY: [NONE, 'The private OpenPGP key that files are signed by.'],
  BUREAU_SIGNING_PASSPHRASE: [NONE, 'Its passphrase.'],
  BUREAU_ZPK: ['no PIN mailers', 'The zone key of the PIN blocks of mailers: TDES, 32 hex digits.'],
  BUREAU_LAYOUT: ['CSV', 'The layout of files in another form, as JSON.'],
  CLAMD_ADDRESS: ['no scanner', 'ClamAV: a file is served only after a clean scan.'],
  CLAMD_REQUIRED: '`true`: the program does not start without `CLAMD_ADDRESS`.',
  HSM_ADDRESS: [
    'keys in software',
    'The [security modules](hsm.md) that keep the keys of cards. An installation keeps its custody.',
  ],
  HSM_HEADER: 'Characters of the header of a command.',
  HSM_LMK: ['the module’s default', 'The master key, where a module has several.'],
  HSM_CONNECTIONS: 'Connections to each address.',
  HSM_TIMEOUT_MS: 'How long a command may take.',
  HSM_TLS_CA: ['no TLS', 'The file of the authority that signed the certificates of the modules.'],
  HSM_TLS_CERT: [NONE, 'The file of our certificate, where a module wants one.'],
  HSM_TLS_KEY: [NONE, 'The file of its key.'],
  HSM_KEY_SCHEME: '`U`: keys in the variant scheme; `S`: in key blocks, which may be of AES.',
  HSM_CLEAR_PIN: '`allow`: the widget SET_PIN may have a PIN in memory on its way to the module.',
  HSM_TRANSPORT_KEY: [
    NONE,
    'For moving keys, and for test keys: a key that the modules have, in hex.',
  ],
  HSM_TRANSPORT_KEY_LMK: [NONE, 'The same key as the module shows it.'],
  SMTP_URL: [
    'no mails are sent',
    'The server that takes the mails of the portal. `smtp:` asks for STARTTLS, which live requires ' +
      'of another host. An address gets at most five mails of one subject within 15 minutes. A ' +
      'sandbox without it keeps the mails for `GET /v1/operator/mails`; live without it answers ' +
      'the link of an invitation to who invites.',
  ],
  MAIL_FROM: [NONE, 'Their sender, as `Cards <cards@example.com>`.'],
}

const INTRO =
  'The program is configured by environment variables; every fault of them is named at the start, ' +
  'all at once.'

const FILES =
  'A variable with a file behind it (“or NAME_FILE”) may be in a file whose content, without white ' +
  'space around it, is the value. It is read at the start. A variable and its file together are a ' +
  'fault. The mode of a file is not checked, since secrets of containers are often readable by all ' +
  'accounts of the container.'

const REWRAP =
  '`bezant keys rewrap` alone reads the variables of the next wrapping ([keys.md](keys.md)): ' +
  '`MASTER_KEY_NEW` or `MASTER_KEY_FILE_NEW`, or `KMS_URL_NEW` with `KMS_KEY_NEW` and ' +
  '`KMS_TOKEN_NEW` or `KMS_TOKEN_FILE_NEW`.'

const PEERS =
  'The merchant service of a process with the role `network` connects to the port of that process ' +
  'without regard to `NETWORK_ALLOW`, the limits and TLS. The merchant service of another process is ' +
  'an ordinary peer: its address must be allowed, and where the port has TLS it needs ' +
  '`ISSUER_TLS_CA` (and, where the port has `NETWORK_TLS_CA`, a certificate). A connection to the ' +
  'port has 10 seconds for its TLS handshake, 30 to sign on (from its beginning or from a sign-off, ' +
  'whatever else it sends), 30 to complete a frame, and 60 to read some of the responses that wait ' +
  'for it. `bezant_network_faults_total` counts the connections that were rejected or closed, by ' +
  'reason: `not_allowed`, `connections`, `connections_per_address`, `handshake`, `unsigned`, ' +
  '`slow_frame`, `stalled`, `silent`.\n\n' +
  'Several processes on one database share its `MASTER_KEY`. In live, the first start writes the ' +
  "operator's key to `DATA_DIR/operator.key`: move it to a safe place."

export function settingsPage(): string {
  const own = Object.entries(Variables.properties).map(([name, schema]) =>
    row(name, schema, MEANINGS[name as keyof Values]),
  )
  const others = registry.flatMap(({ variables }) =>
    Object.entries(variables.properties).map(([name, schema]) =>
      row(name, schema, OF_ADAPTERS[name]),
    ),
  )
  const head = ['Variable', 'Default', 'Value', 'Meaning']
  const lines = (rows: readonly string[][]) => table(head, rows).join('\n')
  return page('Settings', [
    INTRO,
    lines(own),
    `## Adapters\n\n${lines(others)}`,
    `## Secrets in files\n\n${FILES}`,
    `## Changing the master key\n\n${REWRAP}`,
    `## Peers of the network port\n\n${PEERS}`,
  ])
}

function row(name: string, schema: TSchema, meaning: Meaning | undefined): string[] {
  if (meaning === undefined) throw new Error(`tools/pages/settings_page.ts lacks ${name}`)
  const { default: usual, description = '', inFile } = schema as Written
  const [written, text] = typeof meaning === 'string' ? [`\`${String(usual)}\``, meaning] : meaning
  return [`\`${name}\`${inFile ? ` or \`${name}_FILE\`` : ''}`, written, description, text]
}

type Written = { default?: unknown; description?: string; inFile?: boolean }
