/** The checks of a whole file, before anything of it is posted (D-1041). Pure. */

import type { ClearingRecord } from '#clearing/record.ts'

/** Faults that are kept as sentences; all are counted. */
export const FAULTS_KEPT = 100

export type FileFacts = {
  /** PDS 0105 of the header. */
  file: string | undefined
  records: number
  /** The sum of DE4 of all records. */
  amount: bigint
  faults: readonly string[]
  fault_count: number
}

const HEADER = '697'
const TRAILER = '695'
const FILE_ID = /^[0-9]{25}$/

export class FileCheck {
  readonly #faults: string[] = []
  #fault_count = 0
  #records = 0
  #amount = 0n
  #file: string | undefined
  #trailer: ClearingRecord | undefined

  /** In the order of the file. */
  add(number: number, at: number, record: ClearingRecord): void {
    this.#records = number
    this.#amount += BigInt(record.elements.get(4) ?? 0)
    const name = (reason: string) => this.fault(number, at, reason)
    const isAdministrative = record.mti === '1644'
    const code = isAdministrative ? record.elements.get(24) : undefined
    if (number === 1 && code !== HEADER) name('the file does not begin with a header (1644 697)')
    if (number > 1 && code === HEADER) name('a second header')
    if (this.#trailer !== undefined) name('a record behind the trailer')
    if (code === HEADER) this.#readHeader(record, name)
    if (code === TRAILER) this.#trailer ??= record
    const wanted = String(number).padStart(8, '0')
    const found = record.elements.get(71)
    if (found === undefined) name('DE71 is missing')
    else if (found !== wanted) name(`DE71 is ${found}, and ${wanted} is next`)
  }

  fault(number: number, at: number, reason: string): void {
    this.#note(`record ${number}, byte ${at}: ${reason}`)
    this.#records = number
  }

  end(): FileFacts {
    this.#checkTrailer()
    return {
      file: this.#file,
      records: this.#records,
      amount: this.#amount,
      faults: this.#faults,
      fault_count: this.#fault_count,
    }
  }

  #note(sentence: string): void {
    this.#fault_count += 1
    if (this.#faults.length < FAULTS_KEPT) this.#faults.push(sentence)
  }

  #readHeader({ subelements }: ClearingRecord, name: (reason: string) => void): void {
    const file = subelements.get('0105')
    if (file === undefined || !FILE_ID.test(file)) {
      name('PDS0105 of the header is not 25 digits')
    } else this.#file ??= file
    const mode = subelements.get('0122')
    if (mode !== undefined && mode !== 'P' && mode !== 'T') name(`PDS0122 is ${mode}, not P or T`)
  }

  #checkTrailer(): void {
    const trailer = this.#trailer
    if (trailer === undefined) {
      this.#note('the file does not end with a trailer (1644 695)')
      return
    }
    const { subelements } = trailer
    const file = subelements.get('0105')
    if (file !== this.#file) {
      this.#note(`PDS0105 of the trailer is ${file ?? 'missing'}, of the header ${this.#file}`)
    }
    this.#compare('PDS0306', subelements.get('0306'), BigInt(this.#records), 'records')
    this.#compare('PDS0301', subelements.get('0301'), this.#amount, 'is the sum of DE4')
  }

  #compare(name: string, text: string | undefined, found: bigint, of: string): void {
    if (text === undefined || !/^[0-9]+$/.test(text)) {
      this.#note(`${name} of the trailer is ${text === undefined ? 'missing' : 'no number'}`)
    } else if (BigInt(text) !== found) {
      this.#note(`${name} of the trailer is ${BigInt(text)}, and the file has ${found} (${of})`)
    }
  }
}
