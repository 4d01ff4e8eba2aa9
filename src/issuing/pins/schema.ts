/** The API schemas of PINs (D-37). */

import { type Static, Type } from 'typebox'
import { Field, Instant, Strict, Uuid } from '#kit/http/schema.ts'

/** The longest text accepted for decoding; a block has 16 or 32 digits. */
const ENC_PIN_MAX = 64

export const NewPin = Strict({
  enc_pin: Type.String({
    pattern: '^[0-9A-Fa-f]+$',
    maxLength: ENC_PIN_MAX,
    description:
      'PIN block of ISO 9564-1 in hex: 32 digits for format 4 under the product’s zpk_aes, ' +
      '16 digits for format 0 under its zpk.',
  }),
})

/** The card whose PIN was changed, and when. */
export const ChangedPin = Type.Object(
  {
    id: Field('Id of the card.', Uuid),
    modified: Field('Time at which the PIN was changed.', Instant),
  },
  { title: 'ChangedPin' },
)
export type ChangedPin = Omit<Static<typeof ChangedPin>, 'modified'> & { modified: Date }
