import { route } from '#kit/http/route.ts'
import { findChip, holdChip, requestScript } from './chips.ts'
import { ChipAnswer, ChipPath, ScriptRequest } from './schema.ts'

export const chipRoutes = [
  route({
    id: 'requestScriptAsOperator',
    tag: 'Operator',
    description:
      'Asks for an issuer script to the chip of a card: the answer to the next message with a ' +
      'right cryptogram carries it, approved or declined. A script that was asked for before is ' +
      'sent again. BLOCK does not change the status of the card.',
    method: 'POST',
    path: '/operator/tenants/{id}/cards/{card_id}:script',
    permission: 'operator',
    summary: 'Send a script to a chip',
    params: ChipPath,
    body: ScriptRequest,
    answer: ChipAnswer,
    errors: ['not_found'],
    object: {
      schema: ChipAnswer,
      read: (tx, { params }) => holdChip(tx, params.id, params.card_id),
    },
    run: (ctx, { params, body }) => requestScript(ctx, params.id, params.card_id, body),
  }),
  route({
    id: 'getChipAsOperator',
    tag: 'Operator',
    description: 'Returns the counter of the chip of a card and the scripts to it.',
    method: 'GET',
    path: '/operator/tenants/{id}/cards/{card_id}/chip',
    permission: 'operator',
    summary: 'Get the chip of a card',
    params: ChipPath,
    answer: ChipAnswer,
    errors: ['not_found'],
    run: (ctx, { params }) => findChip(ctx, params.id, params.card_id),
  }),
]
