/** A request for every operation of charges, lists, stop orders and limits. */

import { randomUUID } from 'node:crypto'
import { form, pdf } from '../files.ts'
import { asked, KNOWN_CODE } from './challenges.ts'
import { bodyOf, none, of, type SampleOf, type Samples } from './sample.ts'

const ofStopOrder: SampleOf = ({ ids }) => ({
  params: { id: ids.card, stop_order_id: ids.stop_order },
})

/** The operations of the links of limits, at each kind of object. */
function linksOf(path: string, limit: 'balance_limit' | 'velocity_limit'): Samples {
  const owners = { cardproducts: 'card_product', users: 'user', accounts: 'account' } as const
  const cards = limit === 'velocity_limit' ? { cards: 'card' as const } : {}
  const all = Object.entries({ ...owners, ...cards }).flatMap(([owner, kind]) => {
    const base = `/v1/${owner}/{id}/${path}`
    const ids: SampleOf = (belongings) => ({
      ...of(kind)(belongings),
      body: { ids: [belongings.ids[limit]] },
    })
    return [
      [`GET ${base}`, of(kind)],
      [`POST ${base}:link`, ids],
      [`POST ${base}:unlink`, ids],
    ] as const
  })
  return Object.fromEntries(all)
}

const most = { currency: 'AED', max_amount: 100_000 }

const contested = { reason: 'FRAUD', explanation: 'Not by the cardholder' }

const ofDisputeFile: SampleOf = ({ ids }) => ({
  params: { id: ids.dispute, file_id: ids.dispute_file },
})

const evidenceFile: SampleOf = ({ ids }) => ({
  params: { id: ids.dispute },
  form: form({ name: 'file', value: pdf(), file_name: 'a.pdf' }),
})

const ofChargebackFile: SampleOf = ({ ids }) => ({
  params: { id: ids.chargeback ?? '', file_id: ids.chargeback_file ?? '' },
})

const ofChallenges: Samples = {
  'POST /v1/challenges': bodyOf(({ ids }) => ({
    ...{ id: randomUUID(), card_id: ids.challenged_card },
    ...asked,
  })),
  'GET /v1/challenges': none,
  'GET /v1/challenges/{id}': of('challenge'),
  'POST /v1/challenges/{id}:answer': of('challenge', { code: KNOWN_CODE }),
  'POST /v1/challenges/{id}:approve': of('challenge'),
  'POST /v1/challenges/{id}:decline': of('challenge'),
}

const ofDisputes: Samples = {
  'POST /v1/disputes': bodyOf(({ ids }) => ({
    ...{ id: randomUUID(), transaction_id: ids.settled, amount: 1 },
    ...contested,
  })),
  'GET /v1/disputes': none,
  'GET /v1/disputes/{id}': of('dispute'),
  'PUT /v1/disputes/{id}': of('dispute', { explanation: 'The card was stolen' }),
  'POST /v1/disputes/{id}/files': evidenceFile,
  'PUT /v1/disputes/{id}/files': evidenceFile,
  'GET /v1/disputes/{id}/files': of('dispute'),
  'GET /v1/disputes/{id}/files/{file_id}': ofDisputeFile,
  'GET /v1/disputes/{id}/files/{file_id}:browse': ofDisputeFile,
  'GET /v1/disputes/{id}/files/{file_id}:download': ofDisputeFile,
  'DELETE /v1/disputes/{id}/files/{file_id}': ofDisputeFile,
  'GET /v1/disputereasons': none,
  'POST /v1/disputes/{id}:submit': of('dispute', { note: 'complete' }),
  'POST /v1/disputes/{id}:withdraw': of('dispute', { note: 'it has arrived' }),
  'POST /v1/disputes/{id}:accept': of('represented_dispute', { note: 'delivered' }),
  'POST /v1/disputes/{id}:arbitrate': of('represented_dispute', { note: 'not delivered' }),
  'GET /v1/operator/disputes': ({ ids }) => ({ params: { tenant_id: ids.tenant } }),
  'POST /v1/operator/disputes/{id}:record': of('submitted_dispute', { step: 'SENT' }),
  'GET /api/v1.0/disputes': none,
  'GET /api/v1.0/disputes/{id}': of('chargeback'),
  'POST /api/v1.0/disputes/{id}/evidence': of('chargeback', { receipt: 'Receipt 7' }),
  'POST /api/v1.0/disputes/{id}/accept': of('chargeback'),
  'POST /api/v1.0/disputes/{id}/files': ({ ids }) => ({
    params: { id: ids.chargeback ?? '' },
    form: form({ name: 'file', value: pdf(), file_name: 'a.pdf' }),
  }),
  'GET /api/v1.0/disputes/{id}/files': of('chargeback'),
  'GET /api/v1.0/disputes/{id}/files/{file_id}': ofChargebackFile,
  'GET /api/v1.0/disputes/{id}/files/{file_id}/download': ofChargebackFile,
  'DELETE /api/v1.0/disputes/{id}/files/{file_id}': ofChargebackFile,
  'POST /v1/operator/chargebacks': bodyOf(({ ids }) => ({
    merchant_id: ids.merchant,
    reference: ids.captured_order,
    amount: 1,
    reason: 'FRAUD',
  })),
  'POST /v1/operator/chargebacks/{id}:record': of('chargeback', { step: 'WIN' }),
  'POST /v1/simulate/disputes/{id}:represent': of('submitted_dispute', { amount: 1 }),
  'POST /v1/simulate/disputes/{id}:win': of('submitted_dispute'),
  'POST /v1/simulate/disputes/{id}:lose': of('submitted_dispute'),
  'POST /v1/simulate/disputes/{id}:arbitrate': of('submitted_dispute'),
}

export const ofControls: Samples = {
  ...ofChallenges,
  ...ofDisputes,
  'POST /v1/accounts/{id}:charge': ({ ids }) => ({
    params: { id: ids.account },
    body: { id: randomUUID(), currency: 'AED', amount: 1, description: 'Letter' },
  }),
  'GET /v1/accounts/{id}/charges': of('account'),
  'GET /v1/accounts/{id}/charges/{charge_id}': ({ ids }) => ({
    params: { id: ids.account, charge_id: ids.charge },
  }),

  'POST /v1/balancelimits': bodyOf(() => ({ id: randomUUID(), ...most, type: 'PER_ACCOUNT' })),
  'GET /v1/balancelimits': none,
  'GET /v1/balancelimits/{id}': of('balance_limit'),
  'GET /v1/balancelimits/{id}:shadow': of('balance_limit'),
  'PUT /v1/balancelimits/{id}': of('balance_limit', { description: 'Wallet' }),
  ...linksOf('balancelimits', 'balance_limit'),
  'POST /v1/velocitylimits': bodyOf(() => ({ id: randomUUID(), ...most, type: 'PER_TRANSACTION' })),
  'GET /v1/velocitylimits': none,
  'GET /v1/velocitylimits/{id}': of('velocity_limit'),
  'GET /v1/velocitylimits/{id}:shadow': of('velocity_limit'),
  'PUT /v1/velocitylimits/{id}': of('velocity_limit', { description: 'Day' }),
  'GET /v1/velocitylimits/{id}:available': ({ ids }) => ({
    params: { id: ids.velocity_limit, card_id: ids.card },
  }),
  ...linksOf('velocitylimits', 'velocity_limit'),

  'POST /v1/controls:backtest': bodyOf(() => ({
    id: randomUUID(),
    from: '2020-01-01T00:00:00Z',
    to: '2020-02-01T00:00:00Z',
    allowed_mccs: { allow: false, mccs: ['7995'] },
  })),
  'GET /v1/controls/backtests': none,
  'GET /v1/controls/backtests/{id}': of('backtest'),
  'POST /v1/controls/backtests/{id}:cancel': of('backtest'),

  'POST /v1/allowedcountries': bodyOf(() => ({
    id: randomUUID(),
    name: 'Gulf',
    country_codes: ['AE', 'SAU', '048'],
  })),
  'GET /v1/allowedcountries': none,
  'GET /v1/allowedcountries/{id}': of('country_list'),
  'GET /v1/allowedcountries/{id}:shadow': of('country_list'),
  'PUT /v1/allowedcountries/{id}': of('country_list', { country_codes: ['OM'] }),
  'POST /v1/allowedmccs': bodyOf(() => ({ id: randomUUID(), name: 'Food', mccs: ['5411'] })),
  'GET /v1/allowedmccs': none,
  'GET /v1/allowedmccs/{id}': of('mcc_list'),
  'GET /v1/allowedmccs/{id}:shadow': of('mcc_list'),
  'PUT /v1/allowedmccs/{id}': of('mcc_list', { allow: false }),
  'POST /v1/allowedmerchants': bodyOf(() => ({
    id: randomUUID(),
    name: 'Suppliers',
    merchants: [{ merchant_id: 'SHOP1', allow: true }],
  })),
  'GET /v1/allowedmerchants': none,
  'GET /v1/allowedmerchants/{id}': of('merchant_list'),
  'GET /v1/allowedmerchants/{id}:shadow': of('merchant_list'),
  'PUT /v1/allowedmerchants/{id}': of('merchant_list', { active: false }),

  'POST /v1/cards/{id}/stoporders': ({ ids }) => ({
    params: { id: ids.card },
    body: { id: randomUUID(), merchant_id: randomUUID().slice(0, 13) },
  }),
  'GET /v1/cards/{id}/stoporders': of('card'),
  'GET /v1/cards/{id}/stoporders/{stop_order_id}': ofStopOrder,
  'DELETE /v1/cards/{id}/stoporders/{stop_order_id}': ofStopOrder,
}
