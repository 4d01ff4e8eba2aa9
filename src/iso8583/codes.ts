/**
 * Status codes of transactions and their response codes (docs/iso8583.md 6.2, 6.3). One table: the
 * code, its meaning, its DE39. The four-digit code itself is never sent to the network.
 */

export type StatusCode = {
  code: string
  meaning: string
  /** Not in the specification's list (D-44). */
  extension: boolean
  de39: string
  /** Nothing gives it (D-525). */
  isUnused?: true
}

/** The context that the code does not contain. */
export type Hints = {
  /** The message is an advice: acknowledged once recorded, whatever its code (D-108). */
  advice?: boolean
  /** 1022 is about CVV2, not the CVV of a track or chip (D-108). */
  cvv2?: boolean
  /** The reason of a closed card: distinguishes T1 lost and T2 stolen from the rest. */
  card_reason?: string
  /** The message is a reversal. */
  reversal?: boolean
}

const specified = (code: string, meaning: string, de39: string): StatusCode => ({
  code,
  meaning,
  extension: false,
  de39,
})

const extension = (code: string, meaning: string, de39: string): StatusCode => ({
  code,
  meaning,
  extension: true,
  de39,
})

const unused = (row: StatusCode): StatusCode => ({ ...row, isUnused: true })

export const statusCodes: readonly StatusCode[] = [
  specified('0000', 'Approved', '00'),
  specified('0001', 'Honor with identification', '08'),
  specified('0002', 'Partially approved', '10'),
  specified('0003', 'Approved (VIP)', '11'),
  specified('0885', 'Not declined', '85'),
  extension('1001', 'Card expired', '54'),
  specified('1003', 'Card suspended', '62'),
  specified('1006', 'Maximum PIN tries exceeded', '75'),
  specified('1010', 'Invalid amount', '13'),
  extension('1016', 'Insufficient funds', '51'),
  extension('1017', 'Incorrect PIN', '55'),
  specified('1018', 'No card record', '14'),
  specified('1019', 'Not permitted to cardholder', '57'),
  specified('1020', 'Not permitted to terminal', '58'),
  specified('1021', 'Exceeds withdrawal amount limit', '61'),
  specified('1022', 'Security violation', '82'),
  specified('1804', 'Card expiry mismatch', '54'),
  specified('1806', 'Card not active', '78'),
  specified('1809', 'Card permanently closed', '46'),
  specified('1810', 'Incorrect ARQC', '82'),
  specified('1816', 'Card terminated by issuer', '46'),
  specified('1829', 'Maximum amount limit reached', '61'),
  specified('1832', 'ATM transaction not allowed', '57'),
  specified('1837', 'Not allowed, PIN absent', '70'),
  specified('1838', 'E-commerce non-3DS not allowed', '1A'),
  specified('1839', 'E-commerce 3DS not allowed', '57'),
  specified('1840', 'E-commerce without CVV2 not allowed', 'N7'),
  specified('1841', 'Quasi cash not allowed', '57'),
  specified('1842', 'Scheme account funding not allowed', '57'),
  specified('1843', 'Scheme credit not allowed', '57'),
  specified('1844', 'Account verification without CVV2 not allowed', 'N7'),
  specified('1845', 'Card product not configured', '96'),
  specified('1846', 'POS data code not received', '30'),
  specified('1847', 'Card product not found', '96'),
  specified('1848', 'Invalid service code in card settings', '96'),
  specified('1849', 'Incoming transfers not allowed on this product', '57'),
  specified('1850', 'Outgoing transfers not allowed on this product', '57'),
  specified('1851', 'Rejected by fraud engine', '59'),
  specified('1852', 'Fraud check unsuccessful', '96'),
  specified('1853', 'PAN generation error', '96'),
  specified('1854', 'Completion amount above original', '13'),
  specified('1855', 'Completion amount above threshold', '61'),
  specified('1856', 'Non-approved STIP advice', '00'),
  specified('1857', 'Presentment not found', '25'),
  specified('1858', 'Transaction type mismatch', '12'),
  specified('1859', 'Not allowed from this MCC', '57'),
  specified('1860', 'Not allowed from this country', '62'),
  specified('1862', 'ATM not allowed (card level)', '57'),
  specified('1863', 'POS not allowed (card level)', '57'),
  specified('1864', 'Chip not allowed (card level)', '57'),
  specified('1865', 'Magstripe not allowed (card level)', '57'),
  specified('1866', 'Chip fallback not allowed (card level)', '57'),
  specified('1867', 'Not allowed, PIN absent (card level)', '70'),
  specified('1868', 'E-commerce non-3DS not allowed (card level)', '1A'),
  specified('1869', 'E-commerce 3DS not allowed (card level)', '57'),
  specified('1870', 'E-commerce without CVV2 not allowed (card level)', 'N7'),
  specified('1871', 'Quasi cash not allowed (card level)', '57'),
  specified('1872', 'Scheme account funding not allowed (card level)', '57'),
  specified('1873', 'Scheme credit not allowed (card level)', '57'),
  specified('1874', 'Account verification without CVV2 not allowed (card level)', 'N7'),
  specified('1875', 'Maximum account balance limit reached', '61'),
  specified('1876', 'Minimum account balance limit reached', '51'),
  specified('1877', 'Maximum user balance limit reached', '61'),
  specified('1878', 'Minimum user balance limit reached', '51'),
  specified('1879', 'Not allowed from this MCC (card level)', '57'),
  specified('1880', 'Not allowed from this country (card level)', '62'),
  specified('1881', 'Minimum amount limit reached', '13'),
  specified('1882', 'Minimum amount limit reached (card level)', '13'),
  specified('1883', 'Maximum amount limit reached (card level)', '61'),
  specified('1888', 'Illegal operation request', '12'),
  specified('1889', 'Transaction timed out', '91'),
  specified('1890', 'Wallet not active', '78'),
  specified('1892', 'Cardholder not valid', '62'),
  specified('1893', 'Cardholder phone not present', '05'),
  specified('1894', 'Previously cancelled', '21'),
  specified('1895', 'Stop recurring payment', 'R0'),
  specified('1896', 'Advance velocity per-transaction limit exceeded', '61'),
  specified('1897', 'Advance velocity cumulative amount limit exceeded', '61'),
  specified('1898', 'Advance velocity transaction frequency limit exceeded', '65'),
  specified('1899', 'Cash-in not allowed for the card', '57'),
  specified('1900', 'Cash-out not allowed for the card', '57'),
  specified('1901', 'ATM deposit not allowed for the card', '57'),
  specified('1902', 'ATM deposit not allowed (tenant level)', '57'),
  extension('1903', 'Cash withdrawal at night not allowed', '57'),
  extension('9104', 'Format error', '30'),
  extension('9109', 'System malfunction', '96'),
  unused(extension('9113', 'Duplicate transmission', '94')),
  specified('9114', 'Original not found', '25'),
  specified('9115', 'Original declined', '12'),
]

/** The interfaces whose networks take another DE39 for a code (docs/iso8583.md 6.2). */
export const codeMapNames = ['generic', 'mastercard', 'numeric'] as const
export type CodeMapName = (typeof codeMapNames)[number]

type CodeMap = {
  /** By status code. */
  codes: Readonly<Record<string, string>>
  /** By the DE39 of the table. */
  values: Readonly<Record<string, string>>
}

const maps: Record<CodeMapName, CodeMap> = {
  generic: { codes: {}, values: {} },
  mastercard: { codes: { 1810: '88' }, values: { '1A': '65' } },
  numeric: {
    codes: {},
    values: { '1A': '57', N7: '63', R0: '57', '82': '63', '46': '62', '70': '55', '78': '62' },
  },
}

/** A code outside the table is a system malfunction, and the network still gets an answer. */
const MALFUNCTION = '96'
const ACKNOWLEDGED = '00'

const byCode = new Map(statusCodes.map((row) => [row.code, row]))

/** Codes for which a hint makes it another DE39. The first that fits wins. */
const exceptions: readonly { codes: string[]; when(hints: Hints): boolean; de39: string }[] = [
  { codes: ['1809', '1816'], when: ({ card_reason }) => card_reason === 'T1', de39: '41' },
  { codes: ['1809', '1816'], when: ({ card_reason }) => card_reason === 'T2', de39: '43' },
  { codes: ['1022'], when: ({ cvv2 }) => cvv2 === true, de39: 'N7' },
  { codes: ['9115'], when: ({ reversal }) => reversal === true, de39: '21' },
]

/** DE39 of an answer. Never throws: an unknown code is answered 96. */
export function de39Of(
  status_code: string,
  hints: Hints = {},
  map: CodeMapName = 'generic',
): string {
  const { codes, values } = maps[map]
  const de39 = genericOf(status_code, hints)
  return (hints.advice === true ? undefined : codes[status_code]) ?? values[de39] ?? de39
}

function genericOf(status_code: string, hints: Hints): string {
  if (hints.advice === true) return ACKNOWLEDGED
  const exception = exceptions.find(({ codes, when }) => codes.includes(status_code) && when(hints))
  return exception?.de39 ?? byCode.get(status_code)?.de39 ?? MALFUNCTION
}

/** The code's meaning; undefined when it is not a status code. */
export function statusDescription(code: string): string | undefined {
  return byCode.get(code)?.meaning
}
