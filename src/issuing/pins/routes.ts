import { route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { Secret } from '#lib/secret.ts'
import { changePin } from './pins.ts'
import { ChangedPin, NewPin } from './schema.ts'

export const pinRoutes = [
  route({
    id: 'changePin',
    tag: 'PIN',
    description:
      'Sets the PIN of an ACTIVE card from an encrypted PIN block, unblocks the PIN and sends ' +
      'PIN_CHANGE. Only tenants that are PCI compliant may call it. A block that cannot be ' +
      'decrypted, whose PIN has another length than the product requires, or that holds the ' +
      'present PIN fails with `pin_block_refused`; a weak PIN fails with `pin_refused`.',
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
      'pin_length_in_module',
    ],
    run: (ctx, { params, body }) => changePin(ctx, params.id, new Secret(body.enc_pin)),
  }),
]
