/** Fields of answers. */

import { ModuleFault } from './faults.ts'

/** 8 bytes by method 1, 4 by method 2. */
export function arpcBytes(fields: Buffer, isOfMethod2: boolean): Buffer {
  const size = isOfMethod2 ? 4 : 8
  if (fields.length < size) throw new ModuleFault('garbled', 'ARPC')
  return fields.subarray(0, size)
}

/** Bytes in hexadecimal digits. */
export function bytesIn(text: string): Buffer {
  const digits = /^(?:[0-9A-Fa-f]{2})+/.exec(text)?.[0]
  if (digits === undefined) throw new ModuleFault('garbled', 'MAC')
  return Buffer.from(digits, 'hex')
}
