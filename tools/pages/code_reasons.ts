/** Why the checks of an authorization give a code, where its name does not say it. */

import type { Reasons } from './code_producers.ts'

export const checkReasons: Reasons = [
  ['1846', 'DE22 is missing'],
  ['9104', 'another field is missing or malformed'],
  ['1894', 'its reversal came first'],
  ['1889', 'it was not decided within 1.5 s'],
  ['1018', 'no card has the number'],
  ['1847', 'the row of the product is missing: only in a database that was restored in part'],
  ['1845', 'the product has no keys for what is to be checked: likewise'],
  ['1816', 'terminated by the operator, or to be replaced (T3)'],
  ['1809', 'terminated by the client (T0, T1, T2)'],
  ['1001', 'its last month has passed, whether it is T4 already or not'],
  ['1003', 'SUSPENDED'],
  ['1806', 'INACTIVE, or its migration to a physical card took too long'],
  [
    '1019',
    'the card has no user, or an account that is not ACTIVE; or a list of merchants declines',
  ],
  ['1892', 'the user is not ACTIVE'],
  ['1890', 'the token is not ACTIVE'],
  ['1804', 'an expiry date that was sent (DE14, track 2) is another one'],
  ['1848', 'the service code of a stripe is none of ISO/IEC 7813'],
  ['1810', 'the cryptogram is missing, wrong or no ARQC, or its counter is not a new one'],
  [
    '1022',
    'a CVV2, CVV, iCVV or AAV is wrong; a stripe has no track 2, or service code 000 or 999; or a ' +
      'card that was not read had too many wrong tries (`card_verification_max_tries`)',
  ],
  ['1006', 'as many wrong PINs in a row as `pin.max_tries`, until the PIN is changed'],
  ['1017', 'the PIN is wrong, its block cannot be read, or the card has none'],
  [
    '1888',
    'the processing code is unknown; the currency has no rate, or is none that an account may have',
  ],
  ['1902', 'a deposit at an ATM, which the setting `atm_deposit` of the tenant declines'],
  ['1020', 'cash (processing codes 01, 12, 17) at an MCC other than 6010 and 6011'],
  ['1893', 'with 3-D Secure, while the product has `otp_3ds` and the user no mobile number'],
  ['1010', 'nothing to pay, also after a conversion; or a verification with an amount'],
  ['1881', 'below `min_amount` of the product (1882: of the card)'],
  ['1829', 'above `max_amount` of the product (1883: of the card)'],
  ['1021', 'a PER_TRANSACTION limit of withdrawals alone (1896: any other)'],
  ['1895', 'the switch `recurring`, or a stop order of the cardholder'],
  ['1851', 'the responder of the tenant declined'],
  ['1852', 'the responder gave no valid answer, and its default action is DECLINE'],
  ['1016', 'too little is available, or the card has no account'],
  [
    '1876',
    'enough is available, but less than a balance limit demands would remain (1878: of all)',
  ],
]
