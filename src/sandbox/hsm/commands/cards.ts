/**
 * Card verification values: CW makes one, CY verifies one. CVV, CVV2 and iCVV differ by their data.
 */

import { cvvOf } from '#cvv/cvv.ts'
import { Secret } from '#lib/secret.ts'
import type { Command } from '../command.ts'
import { need } from '../errors.ts'
import type { Fields } from '../fields.ts'
import { keyTypeOf } from '../key_types.ts'
import { keyText, openKey, tdesOf } from '../keys.ts'
import type { Lmk } from '../lmk.ts'

const CVK = [keyTypeOf('402')]
const PAN_DIGITS = 19

type CardData = { pan: string; expiry: string; service_code: string }

function cardData(fields: Fields): CardData {
  const pan = fields.digitsToSemicolon(PAN_DIGITS)
  return { pan, expiry: fields.digits(4), service_code: fields.digits(3) }
}

function cvvFor(cvk: string, lmk: Lmk, { pan, expiry, service_code }: CardData): Secret {
  need(pan.length >= 12, 'accountNumber')
  const key = tdesOf(openKey(cvk, lmk, CVK), 16)
  return cvvOf({ cvk: key, pan: new Secret(pan), expiry_yymm: expiry, service_code })
}

export const makeCvv: Command = (fields) => {
  const cvk = keyText(fields)
  const data = cardData(fields)
  return { ending: fields.ending(), run: (lmk) => cvvFor(cvk, lmk, data).reveal() }
}

export const verifyCvv: Command = (fields) => {
  const cvk = keyText(fields)
  const cvv = new Secret(fields.digits(3))
  const data = cardData(fields)
  return {
    ending: fields.ending(),
    run: (lmk) => {
      need(cvvFor(cvk, lmk, data).equals(cvv), 'notVerified')
      return ''
    },
  }
}
