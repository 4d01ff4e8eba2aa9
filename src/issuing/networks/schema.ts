import { type Static, Type } from 'typebox'
import { Field, Instant, OneOf, Strict, Uuid } from '#kit/http/schema.ts'

const use = Field(
  'ZAK for the codes of messages (MAC), ZPK for PIN blocks.',
  OneOf(['ZAK', 'ZPK'] as const),
)
const state = Field(
  'REQUESTED: nobody has asked yet. SENT: the network was asked. DONE: its key has come. ' +
    'FAILED: it has refused.',
  OneOf(['REQUESTED', 'SENT', 'DONE', 'FAILED'] as const),
)

export const NetworkPath = Type.Object({
  name: Field('Name of the network.', Type.String({ maxLength: 36 })),
})

export const ExchangeKeys = Strict({ use })
export type ExchangeKeys = Static<typeof ExchangeKeys>

export const Exchange = Type.Object({
  id: Field('Id of the request for a key.', Uuid),
  use,
  state,
  created: Field('When it was requested.', Instant),
})
export type Exchange = Static<typeof Exchange>

const Connection = Type.Object({
  process_id: Field('Id of the process that has it.', Uuid),
  address: Field('Address and port of the peer.', Type.String()),
  opened: Field('When it was opened, in real time.', Instant),
  signed_on: Field('Whether messages of payments are decided.', Type.Boolean()),
  last_message: Type.Optional(Field('When a message came last, in real time.', Instant)),
})

export const Network = Type.Object(
  {
    name: Field('Name of the network in NETWORKS_FILE.', Type.String()),
    role: Field('Whether the program listens or connects.', OneOf(['listen', 'connect'] as const)),
    addresses: Field('Where it listens, or connects to.', Type.Array(Type.String())),
    dialect: Field('How messages are written.', Type.String()),
    header: Field('The length before a message.', Type.String()),
    envelope: Field('The bytes between length and message.', Type.String()),
    sign_on: Field('The side that signs on.', OneOf(['us', 'peer'] as const)),
    echo_seconds: Type.Integer({ description: 'Seconds of silence before an echo.' }),
    deadline_ms: Type.Integer({ description: 'Milliseconds for a decision.' }),
    codes: Field('The map of response codes (DE39).', Type.String()),
    billing: Field('Who converts amounts.', OneOf(['scheme', 'own'] as const)),
    bins: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The beginnings of card numbers that it may send; left out: all.',
      }),
    ),
    mac_required: Field('Whether a message needs its code (MAC).', Type.Boolean()),
    mac_algorithm: Type.Optional(Field('The algorithm of codes (MAC).', Type.String())),
    has_keys: Field('Whether keys may be exchanged.', Type.Boolean()),
    connections: Type.Array(Connection, {
      description: 'Open connections of all processes, as of the last five seconds.',
    }),
    mac_failures: Type.Integer({
      description: 'Messages with a wrong code or without one, since the processes started.',
    }),
    messages_refused: Type.Integer({
      description:
        'Messages without effect since the processes started: not understood, or with a wrong ' +
        'code, key or beginning of the card number.',
    }),
    keys: Type.Array(
      Type.Object({
        use,
        check_value: Field('First six digits by which people compare keys.', Type.String()),
        created: Field('When the key came.', Instant),
      }),
      { description: 'Keys that are honoured now, newest first.' },
    ),
    exchanges: Type.Array(Exchange, { description: 'The last requests for keys, newest first.' }),
  },
  { title: 'Network' },
)
export type Network = Static<typeof Network>

export const Networks = Type.Object({
  data: Type.Array(Network, { description: 'The networks of NETWORKS_FILE, in its order.' }),
})
export type Networks = Static<typeof Networks>
