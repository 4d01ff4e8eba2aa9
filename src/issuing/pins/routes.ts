import { route } from '#kit/route.ts'
import { IdPath } from '#kit/schema.ts'
import { Secret } from '#lib/secret.ts'
import { changePin } from './pins.ts'
import { ChangedPin, NewPin } from './schema.ts'

export const pinRoutes = [
  route({
    id: 'putCardsIdChangepin',
    tag: 'PIN',
    description: '',
    method: 'PUT',
    path: '/cards/{id}:changepin',
    permission: 'write',
    summary: 'Set or change the PIN of a card',
    params: IdPath,
    body: NewPin,
    answer: ChangedPin,
    errors: [
      'pci_compliance_required',
      'not_found',
      'card_not_active',
      'pin_block_refused',
      'pin_refused',
    ],
    run: (ctx, { params, body }) => changePin(ctx, params.id, new Secret(body.enc_pin)),
  }),
]
