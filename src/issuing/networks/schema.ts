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

export const Network = Type.Object({
  name: Field('Name of the network in NETWORKS_FILE.', Type.String()),
  role: Field('Whether the program listens or connects.', OneOf(['listen', 'connect'] as const)),
  addresses: Field('Where it listens, or connects to.', Type.Array(Type.String())),
  dialect: Field('How messages are written.', Type.String()),
  mac_required: Field('Whether a message needs its code (MAC).', Type.Boolean()),
  keys: Type.Array(
    Type.Object({
      use,
      check_value: Field('First six digits by which people compare keys.', Type.String()),
      created: Field('When the key came.', Instant),
    }),
    { description: 'Keys that are honoured now, newest first.' },
  ),
  exchanges: Type.Array(Exchange, { description: 'The last requests for keys, newest first.' }),
})
export type Network = Static<typeof Network>

export const Networks = Type.Object({
  data: Type.Array(Network, { description: 'The networks of NETWORKS_FILE, in its order.' }),
})
export type Networks = Static<typeof Networks>
