/**
 * Contents of a scenario file; both the editor's schema and the checks before a run are made of
 * these.
 */

import { type Static, type TProperties, type TSchema, Type } from 'typebox'

const STEPS_MAX = 200
const TEXT_MAX = 200
const NAME = '^[a-z][a-z0-9_]*$'

const Strict = <Members extends TProperties>(members: Members, description?: string) =>
  Type.Object(members, { additionalProperties: false, ...(description && { description }) })
const optional = <Member extends TSchema>(description: string, schema: Member) =>
  Type.Optional({ ...schema, description } as Member)
const Text = Type.String({ minLength: 1, maxLength: TEXT_MAX })
/** The name of a variable or of a message. */
const Name = Type.String({ pattern: NAME, maxLength: TEXT_MAX })
/** Major units, or text or text such as `10.50`, which may name a variable. */
const Amount = Type.Unsafe<number | string>({ type: ['number', 'string'] })
const Members = Type.Record(Type.String(), Type.Unknown())
const OneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values })

/** Expectations that any step may have. */
const common = {
  of: optional('Message whose transaction is looked at; by default that of the step.', Name),
  status_code: optional(
    'Status code of the transaction’s last event; null where there is no transaction.',
    Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  ),
  transaction: optional('Members of the transaction.', Members),
  account: optional(
    'Id of the account that is looked at; the variable account_id by default.',
    Text,
  ),
  balance: optional('Ledger balance of the account, in major units.', Amount),
  available: optional('Available balance of the account, in major units.', Amount),
  held: optional('What is held of the account, in major units.', Amount),
  events: optional(
    'Events that the step causes, in this order; others may come between them.',
    Type.Array(Type.Unsafe<unknown>({ type: ['string', 'object'] }), { minItems: 1 }),
  ),
  entries: optional(
    'All entries that the step posts to the account, oldest first.',
    Type.Array(Members),
  ),
}
const Expect = Strict(common)
const ExpectAnswer = Strict({
  status: optional('HTTP status; any of 200 to 299 by default.', Type.Integer()),
  body: optional(
    'Members of the answer.',
    Type.Unsafe<unknown>({ type: ['object', 'array', 'string', 'number', 'boolean', 'null'] }),
  ),
  ...common,
})
const ExpectMessage = Strict({
  response_code: optional('DE39 of the answer.', Type.String({ pattern: '^[0-9A-Z]{2}$' })),
  amount: optional('DE4 of the answer, in major units.', Amount),
  fields: optional('Fields of the answer by number; null where there is none.', Members),
  same_answer: optional('Whether the answer equals that to the first message.', Type.Boolean()),
  ...common,
})

const name = optional('What happens, in a sentence.', Text)
const expect = optional('What must hold after the step.', Expect)

export const callers = ['tenant', 'operator', 'merchant', 'nobody'] as const
export const messageKinds = [
  'authorization',
  'purchase',
  'withdrawal',
  'verification',
  'increment',
  'completion',
  'reversal',
  'refund',
  'advice',
] as const
export type MessageKind = (typeof messageKinds)[number]
const entryModes = [
  'ECOMMERCE',
  'MANUAL',
  'CREDENTIAL_ON_FILE',
  'CHIP',
  'CONTACTLESS',
  'MAGSTRIPE',
] as const
export type EntryMode = (typeof entryModes)[number]
const lineFaults = ['request_lost', 'answer_lost', 'answer_delayed', 'connection_broken'] as const
export type LineFault = (typeof lineFaults)[number]

const Merchant = Strict({
  id: optional('Card acceptor id (DE42).', Type.String({ maxLength: 15 })),
  name: optional('Name of the merchant.', Type.String({ maxLength: 25 })),
  city: optional('City of the merchant.', Type.String({ maxLength: 13 })),
  country: optional('ISO 3166 country of the merchant, alpha-2.', Type.String({ maxLength: 2 })),
  mcc: optional('Merchant category code, in quotes.', Type.String({ pattern: '^[0-9]{4}$' })),
})

/** Schemas by the member that names the kind of the step; a step without one only compares. */
export const stepSchemas = {
  cardholder: Strict({
    name,
    cardholder: Strict(
      {
        funds: optional('What the account is loaded with, in major units.', Amount),
        product: optional('Members of the card product.', Members),
        user: optional('Members of a new user.', Members),
        user_id: optional('Id of a user that exists, in place of a new one.', Text),
        card: optional('Members of the card.', Members),
      },
      'A user, a card product and a virtual card that may pay, as variables.',
    ),
    expect,
  }),
  call: Strict({
    name,
    call: Type.String({
      description: 'Operation: its id, or method and path such as POST /v1/users.',
    }),
    path: optional('Members of the path, for an operation that is named by its id.', Members),
    query: optional('Members of the query.', Members),
    body: optional('Body, sent as JSON.', Members),
    as: optional('Whose key is used; tenant by default.', OneOf(callers)),
    save: optional(
      'Variables, each with the member of the answer that it gets, such as data.0.id.',
      Type.Record(Type.String({ pattern: NAME }), Text),
    ),
    expect: optional('What must hold after the step.', ExpectAnswer),
  }),
  send: Strict({
    name,
    send: { ...OneOf(messageKinds), description: 'Message that is sent over ISO 8583.' },
    as: optional('Name of the message, for later steps.', Name),
    of: optional('Message that this one is about; without it an unknown one.', Name),
    amount: optional('Amount in major units; of a reversal what is taken back.', Amount),
    currency: optional('ISO 4217 currency of the amount.', Text),
    card_number: optional('Card number; the variable card_number by default.', Text),
    cvv2: optional('CVV2, in quotes.', Type.String({ maxLength: TEXT_MAX })),
    expiry: optional('Expiry date, YYYY-MM.', Type.String({ maxLength: TEXT_MAX })),
    entry_mode: optional('How the card was read.', OneOf(entryModes)),
    partial_approval: optional('Whether a part may be approved.', Type.Boolean()),
    response_code: optional('DE39 of an advice; 00 by default.', Text),
    merchant: optional('Merchant that accepts the card.', Merchant),
    fields: optional(
      'Fields by number that replace the usual ones; null removes one.',
      Type.Record(
        Type.String({ pattern: '^[0-9]{1,3}$' }),
        Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      ),
    ),
    line: optional('Fault of the line.', OneOf(lineFaults)),
    expect: optional('What must hold after the step.', ExpectMessage),
  }),
  repeat: Strict({
    name,
    repeat: { ...Name, description: 'Message that is sent again, marked as a repeat.' },
    expect: optional('What must hold after the step.', ExpectMessage),
  }),
  deliver: Strict({
    name,
    deliver: { ...Name, description: 'Message whose delayed answer arrives.' },
    expect: optional('What must hold after the step.', ExpectMessage),
  }),
  clock: Strict({
    name,
    clock: Strict(
      {
        advance: optional('ISO 8601 duration, such as P5D.', Text),
        now: optional('New time, an ISO 8601 timestamp.', Text),
      },
      'Moves the clock of the tenant forward, by one of the two.',
    ),
    expect,
  }),
  responder: Strict({
    name,
    responder: Strict(
      {
        answer: {
          ...OneOf(['approve', 'decline', 'silent']),
          description: 'What the responder answers from this step on.',
        },
        amount: optional('Most that it approves, in major units.', Amount),
        timeout_ms: optional('How long its answer is awaited; 500 to 3000.', Type.Integer()),
        default_action: optional(
          'What is done without an answer; DECLINE by default.',
          OneOf(['APPROVE', 'DECLINE']),
        ),
      },
      'Registers the responder of the tenant; it is asked by calls.',
    ),
    expect,
  }),
  pay: Strict({
    name,
    pay: Type.String({ description: 'Address of a checkout page, which is paid with the card.' }),
    expect,
  }),
  check: Strict({ name, expect: Expect }),
}
export type StepKind = keyof typeof stepSchemas
type Steps = { [Kind in StepKind]: Static<(typeof stepSchemas)[Kind]> & { kind: Kind } }
export type StepOf<Kind extends StepKind> = Steps[Kind]
export type Step = Steps[StepKind]
export type Expectations = Static<typeof Expect> &
  Partial<Static<typeof ExpectAnswer>> &
  Partial<Static<typeof ExpectMessage>>

const head = {
  name: { ...Text, description: 'What the scenario shows, in a sentence.' },
  description: optional('More about it.', Type.String({ maxLength: 2000 })),
  currency: optional('ISO 4217 currency; AED by default.', Type.String({ pattern: '^[A-Z]{3}$' })),
  settings: optional('Settings of the tenant, as the operator may set them.', Members),
}
const stepList = { minItems: 1, maxItems: STEPS_MAX, description: 'Steps, one after another.' }

/**
 * The head of a file whose steps are checked one by one, so that a fault is that of the step's
 * kind.
 */
export const ScenarioHead = Strict({ ...head, steps: Type.Array(Type.Object({}), stepList) })
export type Scenario = Omit<Static<typeof ScenarioHead>, 'steps'> & { steps: Step[] }

/** The JSON schema for editors. */
export const scenarioSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Scenario',
  ...Strict({ ...head, steps: Type.Array(Type.Union(Object.values(stepSchemas)), stepList) }),
}
