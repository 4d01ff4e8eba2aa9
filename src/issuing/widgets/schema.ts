/** The contract of widgets (D-40, D-111): the client's request, and what the pages send and get. */

import { type Static, Type } from 'typebox'
import { Instant, OneOf, Strict } from '#kit/schema.ts'

export const widgets = ['CARD_DETAILS', 'SET_PIN', 'ACTIVATE'] as const
export const WidgetName = OneOf(widgets)
export type WidgetName = Static<typeof WidgetName>

/** The longest host name, with scheme and port. */
const ORIGIN_LENGTH = 270
/** Longer than any token that is made. */
const TOKEN_LENGTH = 200

export const NewWidgetToken = Strict({
  widget: WidgetName,
  origin: Type.String({
    maxLength: ORIGIN_LENGTH,
    description: 'Scheme, host and port of the one page that may frame the widget',
  }),
})
export type NewWidgetToken = Static<typeof NewWidgetToken>

export const WidgetToken = Type.Object(
  {
    token: Type.String({ description: 'Good once, for five minutes; told here only' }),
    url: Type.String({ description: 'The page to frame; `data-url` of the loader' }),
    expires: Instant,
  },
  { title: 'WidgetToken' },
)

const Token = Type.String({ maxLength: TOKEN_LENGTH })

/** What a page sends to use its token. */
export const TokenUse = Strict({ token: Token })
export type TokenUse = Static<typeof TokenUse>

/** The card's product says how many digits it must have. */
export const PinChoice = Strict({ token: Token, pin: Type.String({ pattern: '^[0-9]{4,12}$' }) })
export type PinChoice = Static<typeof PinChoice>

export const CardDetails = Strict({
  card_number: Type.String(),
  expiry_date: Type.String(),
  cvv2: Type.String(),
})
