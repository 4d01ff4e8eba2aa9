/** The API schemas of widgets (D-40, D-111), and the requests and answers of their pages. */

import { type Static, Type } from 'typebox'
import { Field, Instant, OneOf, Strict } from '#kit/http/schema.ts'

export const widgets = ['CARD_DETAILS', 'SET_PIN', 'ACTIVATE'] as const
export const WidgetName = OneOf(widgets)
export type WidgetName = Static<typeof WidgetName>

/** The longest host name, with scheme and port. */
const ORIGIN_LENGTH = 270
/** Longer than any token that is created. */
const TOKEN_LENGTH = 200

export const NewWidgetToken = Strict({
  widget: Field(
    'CARD_DETAILS shows number, expiry date and CVV2; SET_PIN sets the PIN; ACTIVATE activates.',
    WidgetName,
  ),
  origin: Type.String({
    maxLength: ORIGIN_LENGTH,
    description:
      'Scheme, host and port of the only page that may frame the widget; https, in sandbox also ' +
      'http.',
  }),
})
export type NewWidgetToken = Static<typeof NewWidgetToken>

export const WidgetToken = Type.Object(
  {
    token: Type.String({
      description: 'Token for a single use within five minutes; no other answer contains it.',
    }),
    url: Type.String({ description: 'Address of the page to frame; `data-url` of the loader.' }),
    expires: Field('Time at which the token expires.', Instant),
  },
  { title: 'WidgetToken' },
)

const Token = Type.String({ maxLength: TOKEN_LENGTH, description: 'Token of the widget.' })

/** The request of a page that uses its token. */
export const TokenUse = Strict({ token: Token })
export type TokenUse = Static<typeof TokenUse>

export const PinChoice = Strict({
  token: Token,
  pin: Type.String({
    pattern: '^[0-9]{4,12}$',
    description: 'New PIN, with as many digits as the card product requires.',
  }),
})
export type PinChoice = Static<typeof PinChoice>

export const CardDetails = Strict({
  card_number: Type.String({ description: 'Full card number, digits only.' }),
  expiry_date: Type.String({ description: 'Expiry month, YYYY-MM.' }),
  cvv2: Type.String({ description: 'Three digits.' }),
})
