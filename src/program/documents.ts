/** The OpenAPI documents of all APIs, as they are served and as docs/openapi has them. */

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Type } from 'typebox'
import { cookieName } from '#callers/cookies.ts'
import type { Authorizer } from '#issuing/authorization/authorization.ts'
import type { Messenger } from '#issuing/challenges/challenges.ts'
import * as webhooks from '#issuing/webhooks/webhooks.ts'
import { internalError } from '#kit/errors.ts'
import { IDEMPOTENCY_HEADER, idempotencyHeader } from '#kit/http/idempotency_header.ts'
import type { Examples } from '#kit/http/openapi/examples.ts'
import type { DocumentedApi, Tag } from '#kit/http/openapi/openapi.ts'
import { createLog } from '#kit/log.ts'
import { catalogueOfSlices, eventKindsOf, routesOf, type Slice } from '#kit/slice.ts'
import { IssuerLink } from '#merchant/acquirer/acquirer.ts'
import type { ResponderListener } from '#sandbox/responder/listener.ts'
import { tenantHeaderOf } from '#src/config/browsers.ts'
import type { Config } from '#src/config/config.ts'
import { ISSUING_PREFIX, issuingSlices } from '#src/program/apis/issuing.ts'
import { MERCHANT_PREFIX, merchantSlices } from '#src/program/apis/merchant.ts'
import { PORTAL_PREFIX, portalSlices } from '#src/program/apis/portal.ts'
import { evidenceStore } from './apis/evidence.ts'
import { operatorSlices } from './apis/operator.ts'
import { usualIssuer } from './issuers.ts'
import type { Mode } from './modes/mode.ts'

/** The version of the program, from package.json. */
export const VERSION: string = versionIn(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

function versionIn(text: string): string {
  const { version } = JSON.parse(text) as { version: string }
  return version
}

/** Read when a document is requested, so that the program starts without it. */
function examples(): Examples {
  const text = readFileSync(new URL('../../docs/openapi/examples.json', import.meta.url), 'utf8')
  // Our own file, which a test compares with the schemas of both documents.
  return JSON.parse(text) as Examples
}

/** RFC 9457 (D-9). Errors may add members of their own. */
const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'The page that describes the code.' }),
    title: Type.String({ description: 'The HTTP status in words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'The fault, in a sentence for a person.' }),
    code: Type.String({ description: 'The fault, for a program; it never changes.' }),
    request_id: Type.String({ format: 'uuid', description: 'Id of the request, as in the logs.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'The member at fault, as a dotted path.' }),
          message: Type.String({ description: 'The fault of the member.' }),
        }),
        { description: 'Every fault of the request.' },
      ),
    ),
  },
  { title: 'Problem', additionalProperties: true },
)

/** D-88: the faults by field, nested as the request is. */
const FieldErrors = Type.Unsafe<object>({
  type: 'object',
  title: 'FieldErrors',
  additionalProperties: {
    anyOf: [
      // The faults of a list are a list as well, an empty object for each item that is fine.
      {
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/FieldErrors' }] },
      },
      { $ref: '#/components/schemas/FieldErrors' },
    ],
  },
})
/** D-88: every other error. */
const Detail = Type.Object(
  { detail: Type.String({ description: 'The fault.' }) },
  { title: 'Detail' },
)

/** Here routes are only read, never run. */
const noEngine: Authorizer = {
  submit: () => Promise.reject(new Error('a document authorizes nothing')),
}

const noMessenger: Messenger = { sends_mails: false, send() {} }

const unasked = () => Promise.reject(new Error('a document asks nothing'))
const noListener: ResponderListener = {
  ask: unasked,
  read: unasked,
  answer: unasked,
  abort() {},
  notify() {},
  sweep: { name: 'none', dueTenants: async () => [], run: async () => ({ more: false }) },
}

/** All contracts without a running program: for docs/ and the tests that are made from them. */
export function contractsOf(config: Config, mode: Mode): DocumentedApi[] {
  const parts = { config: () => config, log: createLog('silent') }
  const merchant = merchantSlices({
    ...parts,
    evidence: evidenceStore(config, mode.providers),
    takeIn: async () => true,
    link: new IssuerLink({ usual: usualIssuer(parts.config, connect, parts.log), log: parts.log }),
    webhooks,
  })
  const otherEvents = eventKindsOf(merchant)
  const issuing = [
    ...issuingSlices({
      ...parts,
      engine: noEngine,
      wire: null,
      messengerOf: () => noMessenger,
      otherEvents,
      providers: mode.providers,
      simulated: mode.slices({ ...parts, engine: noEngine, listener: noListener, wire: null }),
    }),
    ...operatorSlices(parts.config, () => []),
  ]
  return [
    { ...issuingContract(issuing, config), events: [...eventKindsOf(issuing), ...otherEvents] },
    { ...merchantContract(merchant, config), events: [...otherEvents, ...webhooks.webhookEvents] },
    portalContract(portalSlices({ ...parts, profile: mode.profile, routes: () => [] }), config),
  ]
}

const ISSUING_TAGS: readonly Tag[] = [
  { name: 'Users', description: 'People and companies that hold cards.' },
  { name: 'Identifications', description: 'Identity documents of users and their files.' },
  { name: 'KYC', description: 'Identity checks and KYC and KYB requests.' },
  { name: 'Card products', description: 'Terms, number ranges and settings of cards.' },
  { name: 'Cards', description: 'Virtual and physical cards, one by one and in bulk.' },
  { name: 'Lists', description: 'Countries, MCCs and merchants that may be paid.' },
  { name: 'Backtests', description: 'Decisions that proposed controls would have made.' },
  { name: 'Stop orders', description: 'Merchants whose recurring payments are declined.' },
  { name: 'PIN', description: 'The PIN of a card.' },
  { name: 'Wallet tokens', description: 'Cards in wallets of phones and watches.' },
  { name: 'Accounts', description: 'Account balances, statements and funds.' },
  { name: 'Charges', description: 'Charges that accounts pay to the program.' },
  { name: 'Limits', description: 'Balance limits and velocity limits.' },
  { name: 'Transfers', description: 'Movements of money between two accounts.' },
  { name: 'Transactions', description: 'Payments that the card network authorized and cleared.' },
  { name: 'Challenges', description: 'Payments that cardholders confirm by a code or in an app.' },
  { name: 'Disputes', description: 'Settled payments that cardholders contest.' },
  { name: 'Search', description: 'Objects of every kind by a known text of theirs.' },
  { name: 'Settings', description: 'Settings of the calling tenant.' },
  { name: 'Health', description: 'Whether every part of the platform is at work.' },
  { name: 'Audit records', description: 'Records of changes, and of reads of card data.' },
  { name: 'Webhooks', description: 'Subscriptions to events and their deliveries.' },
  {
    name: 'Events',
    description:
      'Events in the order in which they happened, and each kind as a subscription receives it.',
  },
  {
    name: 'Simulation',
    description: 'The outside world in the sandbox: network, clock, embosser.',
  },
  { name: 'Operator', description: 'Tenants, keys and decisions of the operator.' },
]

const MERCHANT_TAGS: readonly Tag[] = [
  { name: 'Authentication', description: 'Access tokens of a merchant.' },
  { name: 'Checkouts', description: 'Payment pages for orders.' },
  { name: 'Orders', description: 'Paid orders: retrieve, capture and refund.' },
  { name: 'Kept cards', description: 'Cards that customers let a merchant keep.' },
  { name: 'Disputes', description: 'Orders that cardholders contest.' },
  { name: 'Payouts', description: 'Fees, the statement, and what is paid out.' },
  { name: 'Webhooks', description: 'Endpoints of the merchant and the deliveries to them.' },
  { name: 'Events', description: 'Each kind of event as an endpoint receives it.' },
]

const PORTAL_TAGS: readonly Tag[] = [
  { name: 'Registrations', description: 'People who sign up with an organization.' },
  { name: 'Sessions', description: 'Signing in and out.' },
  { name: 'Second factors', description: 'Codes by time and recovery codes.' },
  { name: 'Passkeys', description: 'Passkeys, which sign in without a password.' },
  { name: 'Passwords', description: 'New passwords for those that were forgotten.' },
  { name: 'Team', description: 'Members and invitations.' },
  { name: 'API keys', description: 'API keys of the tenant of the member.' },
]

/** A session takes the place of a key (D-133); with https the cookie has the prefix __Host-. */
const session = {
  type: 'apiKey',
  in: 'cookie',
  name: cookieName(false),
  description: 'Session of a member of the portal',
}

const TOKEN = 'Access token of a merchant, of POST /merchant/authentication'

const apikey = { type: 'apiKey', in: 'header', name: 'apikey' }

/** Conventions of every operation, as a list in Markdown. */
const CONVENTIONS = `

## Conventions

- A key is sent in the header \`apikey\`, or in \`Authorization\` as \`Bearer\` or \`apikey\`.
- A success is 200: also of POST and DELETE. The exceptions are 202 of a backtest, which goes on,
  and 206 of a range of a file.
- An object of another tenant is 404, as one that does not exist. An id that is no UUID is 400.
- A list has \`data\`, \`has_more\` and the cursor \`after\`, newest first where nothing else is
  said. A page stays right while objects are added. A cursor is opaque and belongs to its list;
  the filters may change.
- What was never set is left out of an answer; lists are there, and empty.
- PUT changes only the members that are sent. \`null\` clears a member that may be absent, objects
  merge member by member, and lists are replaced.
- An unknown member, one that only answers have, an unknown query parameter, and a parameter of
  one value that is sent twice are 400. So is an id in a body that names nothing. A 400 names
  every fault in \`errors\`. Numbers of a query are decimal digits.
- An \`id\` in the body of a creation is that of the new object; one that exists is 409.
- Amounts are decimal numbers in major units of their currency, as a number or as text: 100.5 of
  AED. More decimals than the currency has, an amount below zero and more than 15 digits are 400.
- Times are ISO 8601; answers have UTC with milliseconds and Z. Countries are accepted as alpha-2
  and alpha-3 and answered as alpha-3.
- The verb behind the colon of a path may be in any case. \`/user\` and \`/card\` stand for
  \`/users\` and \`/cards\`.
- A POST with an idempotency key of 1 to 255 printable characters has one effect in 24 hours. A
  repeat gets the stored answer, with the \`request_id\` of the first and the header
  \`idempotent-replayed\`. Other content under the key is 409, and so is a repeat while the first
  request is running. Answers of 400, 401, 403, 412 and 429 are not stored.
- An answer with one object has its version in \`etag\`; a movement of money is a new version of
  its account. \`if-match\` is 400 where nothing has a version: at creations,
  \`PUT /operator/rates\` and \`PUT /simulate/clock\`.
- Answers to a key have \`ratelimit-limit\`, \`ratelimit-remaining\` and \`ratelimit-reset\`; a
  429 has \`retry-after\`. An address whose keys have failed 100 times may try once a second.
- A body that stops for 10 seconds, comes slower than 1 KiB a second or takes longer than 120
  seconds is 408; an upload may take 50 minutes.`

function issuingContract(slices: readonly Slice[], config: Config): DocumentedApi {
  return {
    ...routesAndErrors(slices, config),
    document: {
      title: 'Card issuing',
      description:
        'Users, card products, cards, accounts, authorizations and events. ' +
        '[Getting started](/docs/start) has the main story as commands. ' +
        'Errors are problem documents; [the list of errors](/docs/errors) has their codes.' +
        CONVENTIONS,
      version: VERSION,
      server: ISSUING_PREFIX,
    },
    errorOf: () => ({ content_type: 'application/problem+json', schema: Problem }),
    securitySchemes: {
      apikey,
      bearer: { type: 'http', scheme: 'bearer', description: 'The same API key' },
      session: {
        ...session,
        description:
          'Session of a member of the portal; one of the operator’s team names the tenant in the ' +
          `header \`${tenantHeaderOf(config.operator_name)}\``,
      },
    },
    idempotencyHeader: idempotencyHeader(config),
    tags: ISSUING_TAGS,
  }
}

function merchantContract(slices: readonly Slice[], config: Config): DocumentedApi {
  return {
    ...routesAndErrors(slices, config),
    document: {
      title: 'Merchant orders',
      description:
        'Checkouts, orders, captures and refunds of merchants. Every path works with and without ' +
        'a slash at its end, and `Accept: application/json; indent=4` indents the answer. ' +
        'Members of a checkout, capture or refund that its schema does not name are ignored. An ' +
        'error of 400 has messages by field, nested as the request is; every other one is ' +
        '`{"detail": "…"}`.',
      version: VERSION,
      server: MERCHANT_PREFIX,
    },
    errorOf: (status) => ({
      content_type: 'application/json',
      schema: status === 400 ? FieldErrors : Detail,
    }),
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: TOKEN },
      session: {
        ...session,
        description:
          'Session of a member of the portal, who acts for the only active merchant of the ' +
          `tenant, or for the one that the header \`x-${config.operator_name}-merchant\` names`,
      },
    },
    idempotencyHeader: IDEMPOTENCY_HEADER,
    tags: MERCHANT_TAGS,
  }
}

function portalContract(slices: readonly Slice[], config: Config): DocumentedApi {
  return {
    ...routesAndErrors(slices, config),
    document: {
      title: 'Portal',
      description:
        'Sign-up, sign-in, team and API keys of the people of a tenant. A session is a cookie, ' +
        `\`${cookieName(false)}\` or with https \`${cookieName(true)}\`: it ends after 12 idle ` +
        'hours or 7 days, and all sessions of a member end when the role or the password ' +
        'changes. A request other than GET that comes with it needs an `Origin` of the program, ' +
        'and a JSON body or none (a PUT, or a POST with an idempotency key, may upload files); ' +
        'another one fails with `origin_refused`.',
      version: VERSION,
      server: PORTAL_PREFIX,
    },
    errorOf: () => ({ content_type: 'application/problem+json', schema: Problem }),
    securitySchemes: { session },
    operatorSchemes: { apikey },
    idempotencyHeader: idempotencyHeader(config),
    tags: PORTAL_TAGS,
  }
}

/** Operations that simulate the outside world do not exist in live (D-14). */
function routesAndErrors(slices: readonly Slice[], { mode }: Config) {
  return {
    routes: routesOf(slices).filter(({ sandbox }) => mode === 'sandbox' || !sandbox),
    errors: { ...internalError, ...catalogueOfSlices(slices) },
    examples,
  }
}
