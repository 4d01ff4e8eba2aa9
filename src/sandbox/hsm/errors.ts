/** The error codes of answers, as modules of the payShield family number them. */

export const CODES = {
  done: '00',
  /** Not verified; on import, a key whose parity was corrected. */
  notVerified: '01',
  keyTypeCode: '04',
  keyLengthFlag: '05',
  firstParity: '10',
  secondParity: '11',
  userStorage: '12',
  lmk: '13',
  pinUnderLmk: '14',
  input: '15',
  pinBlock: '20',
  accountNumber: '22',
  pinBlockFormat: '23',
  pinLength: '24',
  scheme: '26',
  keyLength: '27',
  keyType: '28',
  notPermitted: '29',
  internal: '41',
  disabled: '68',
  dataLength: '80',
  otherLmk: 'A2',
  blockNotAuthentic: 'A4',
  keyUsage: 'A6',
  keyAlgorithm: 'A7',
  blockForm: 'B2',
} as const
export type ErrorName = keyof typeof CODES

/** Ends a command: the answer is the code alone. */
export class CommandError extends Error {
  readonly code: string

  constructor(name: ErrorName) {
    super(name)
    this.name = 'CommandError'
    this.code = CODES[name]
  }
}

export function need(condition: boolean, name: ErrorName): asserts condition {
  if (!condition) throw new CommandError(name)
}
