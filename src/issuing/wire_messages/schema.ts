import { type Static, Type } from 'typebox'
import { Field, Instant, OneOf, Uuid } from '#kit/http/schema.ts'

export const sources = ['NETWORK', 'SIMULATED'] as const
export const directions = ['RECEIVED', 'SENT'] as const
export type Source = (typeof sources)[number]
export type Direction = (typeof directions)[number]

const members = {
  number: Type.String({
    description: 'Number of the data element; a part has its place, element (DE48) or tag (DE55).',
  }),
  name: Type.String({ description: 'Name in the standard.' }),
  value: Type.String({
    description:
      'Value as text, binary ones in hexadecimal. Stars stand for the hidden part of a ' +
      'masked value, at most 40 of them.',
  }),
  masked: Type.Boolean({ description: 'Whether anything of the value is hidden.' }),
}

const WireField = Type.Object({
  ...members,
  subfields: Type.Optional(
    Type.Array(Type.Object(members), { description: 'Parts of the value, where it has some.' }),
  ),
})

export const WireMessage = Type.Object(
  {
    id: Field('Id of the record.', Uuid),
    source: Field('SIMULATED for a message that a simulation stands for.', OneOf(sources)),
    direction: Field('RECEIVED by the platform, or SENT by it.', OneOf(directions)),
    mti: Type.String({ description: 'ISO 8583 message type.' }),
    at: Field('Real time at which it came or left; a sandbox clock does not move it.', Instant),
    bytes: Type.Integer({ description: 'Length of the message, without the header of its frame.' }),
    fields: Type.Array(WireField, { description: 'Data elements that are present, in order.' }),
  },
  { title: 'WireMessage' },
)
export type WireMessage = Static<typeof WireMessage>

export const WireMessages = Type.Object({
  data: Type.Array(WireMessage, { description: 'Messages of the transaction, oldest first.' }),
  recorded: Type.Boolean({ description: 'Whether this deployment records messages (WIRE_LOG).' }),
})
export type WireMessages = Static<typeof WireMessages>
