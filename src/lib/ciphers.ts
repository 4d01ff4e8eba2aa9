/**
 * Block ciphers under which card data is made: TDES and AES, block by block, and the codes (MAC)
 * built of them. Key objects and their ciphers are reused: making one for each card number
 * costs four to six times as much.
 */

import {
  type Cipheriv,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type Decipheriv,
  type KeyObject,
} from 'node:crypto'
import type { Secret } from './secret.ts'

/** A key of a block cipher. Its bytes cannot be read back, and printing it shows none of them. */
export class BlockKey {
  readonly blockBytes: number
  readonly keyBytes: number
  readonly #algorithm: string
  readonly #key: KeyObject
  #encrypting?: Cipheriv
  #decrypting?: Decipheriv
  #check_value?: string

  protected constructor(algorithm: string, key: Buffer, keyBytes: number, blockBytes: number) {
    this.#algorithm = algorithm
    this.#key = createSecretKey(key)
    this.keyBytes = keyBytes
    this.blockBytes = blockBytes
  }

  /** Encrypts whole blocks, each on its own (ECB). Throws a RangeError on a broken block. */
  encrypt(blocks: Buffer): Buffer {
    this.#needWhole(blocks)
    this.#encrypting ??= createCipheriv(this.#algorithm, this.#key, null).setAutoPadding(false)
    return this.#encrypting.update(blocks)
  }

  /**
   * Encrypts whole blocks in cipher block chaining mode. A cipher of its own costs as much as two
   * calls for one block each.
   */
  chain(iv: Buffer, data: Buffer): Buffer {
    this.#needWhole(data)
    if (iv.length !== this.blockBytes) throw new RangeError('the first vector is one block')
    if (data.length > 2 * this.blockBytes) {
      const cipher = createCipheriv(this.#algorithm.replace(/ecb$/, 'cbc'), this.#key, iv)
      return cipher.setAutoPadding(false).update(data)
    }
    const blocks: Buffer[] = []
    let chained = iv
    for (let at = 0; at < data.length; at += this.blockBytes) {
      chained = this.encrypt(xor(chained, data.subarray(at, at + this.blockBytes)))
      blocks.push(chained)
    }
    return Buffer.concat(blocks)
  }

  /** Decrypts whole blocks, each on its own (ECB). Throws a RangeError on a broken block. */
  decrypt(blocks: Buffer): Buffer {
    this.#needWhole(blocks)
    this.#decrypting ??= createDecipheriv(this.#algorithm, this.#key, null).setAutoPadding(false)
    return this.#decrypting.update(blocks)
  }

  /** The check value by which people compare keys, six digits of upper-case hex (ANSI X9.24). */
  get check_value(): string {
    this.#check_value ??= checkValueOf(this)
    return this.#check_value
  }

  /** A broken block would stay inside the reused cipher and spoil every later answer. */
  #needWhole(blocks: Buffer): void {
    if (blocks.length % this.blockBytes !== 0) throw new RangeError('not a whole number of blocks')
  }
}

/** A TDES key of 16 or 24 bytes; 8 bytes are single DES. Parity bits are ignored. */
export class TdesKey extends BlockKey {
  /** Single DES under the first 8 bytes, which CVV and the MAC of ISO 9797-1 begin with. */
  readonly left: TdesKey

  constructor(secret: Secret<Buffer>) {
    const key = secret.reveal()
    if (![8, 16, 24].includes(key.length)) throw new RangeError('TDES needs 8, 16 or 24 bytes')
    super('des-ede3-ecb', tripled(key), key.length, 8)
    this.left = key.length === 8 ? this : new TdesKey(secret.map((bytes) => bytes.subarray(0, 8)))
  }
}

/** An AES key of 16, 24 or 32 bytes. */
export class AesKey extends BlockKey {
  constructor(secret: Secret<Buffer>) {
    const key = secret.reveal()
    if (![16, 24, 32].includes(key.length)) throw new RangeError('AES needs 16, 24 or 32 bytes')
    super(`aes-${key.length * 8}-ecb`, key, key.length, 16)
  }
}

/** OpenSSL 3 keeps single and double-length DES in its legacy provider; K1 K2 K3 does both. */
function tripled(key: Buffer): Buffer {
  if (key.length === 24) return key
  return key.length === 8 ? Buffer.concat([key, key, key]) : Buffer.concat([key, key], 24)
}

/** Byte by byte; both must be of one length. */
export function xor(one: Buffer, other: Buffer): Buffer {
  if (one.length !== other.length) throw new RangeError('xor needs buffers of one length')
  const result = Buffer.allocUnsafe(one.length)
  for (let at = 0; at < one.length; at += 1) result[at] = (one[at] ?? 0) ^ (other[at] ?? 0)
  return result
}

/** Encrypts whole blocks in cipher block chaining mode. */
export function cbcEncrypt(key: BlockKey, iv: Buffer, data: Buffer): Buffer {
  return key.chain(iv, data)
}

/** Decrypts whole blocks in cipher block chaining mode. */
export function cbcDecrypt(key: BlockKey, iv: Buffer, data: Buffer): Buffer {
  if (iv.length !== key.blockBytes) throw new RangeError('the first vector is one block')
  const before = Buffer.concat([iv, data]).subarray(0, data.length)
  return xor(key.decrypt(data), before)
}

/** CMAC (NIST SP 800-38B), a whole block long. */
export function cmac(key: BlockKey, message: Buffer): Buffer {
  const size = key.blockBytes
  const subkey = doubled(key.encrypt(Buffer.alloc(size)))
  const tailAt = Math.max(0, Math.ceil(message.length / size) - 1) * size
  const tail = message.subarray(tailAt)
  const last = tail.length === size ? xor(tail, subkey) : xor(padded(tail, size), doubled(subkey))
  return cbcEncrypt(
    key,
    Buffer.alloc(size),
    Buffer.concat([message.subarray(0, tailAt), last]),
  ).subarray(-size)
}

/**
 * MAC algorithm 3 of ISO 9797-1 (the retail MAC), 8 bytes: single DES in a chain, TDES at its
 * end. `message` is padded already.
 */
export function retailMac(key: TdesKey, message: Buffer): Buffer {
  const start = message.length - 8
  const chain = cbcEncrypt(key.left, Buffer.alloc(8), message.subarray(0, start))
  const before = start === 0 ? Buffer.alloc(8) : chain.subarray(-8)
  return key.encrypt(xor(before, message.subarray(start)))
}

/** Padding method 1 of ISO 9797-1: zeros up to a whole block. */
export function paddedWithZeros(message: Buffer, size: number): Buffer {
  return Buffer.concat([message], Math.max(1, Math.ceil(message.length / size)) * size)
}

/** Padding method 2 of ISO 9797-1: a byte 80, then zeros up to a whole block. */
export function padded(message: Buffer, size: number): Buffer {
  return paddedWithZeros(Buffer.concat([message, Buffer.from([0x80])]), size)
}

/**
 * The first three bytes, upper-case hex, by which people compare keys (ANSI X9.24): zeros under
 * TDES, the CMAC of zeros under AES.
 */
export function checkValueOf(key: BlockKey): string {
  const zeros = Buffer.alloc(key.blockBytes)
  const block = key instanceof AesKey ? cmac(key, zeros) : key.encrypt(zeros)
  return block.toString('hex', 0, 3).toUpperCase()
}

/** Every byte with odd parity: the lowest bit is set or cleared for it. */
const ODD = Uint8Array.from({ length: 256 }, (_, byte) => (isOdd(byte) ? byte : byte ^ 1))

/** Gives every byte odd parity, as DES keys are written. */
export function withOddParity(key: Buffer): Buffer {
  const odd = Buffer.allocUnsafe(key.length)
  for (let at = 0; at < key.length; at += 1) odd[at] = ODD[key[at] ?? 0] ?? 0
  return odd
}

function isOdd(byte: number): boolean {
  let ones = 0
  for (let rest = byte; rest > 0; rest >>= 1) ones += rest & 1
  return ones % 2 === 1
}

/** Doubling in the field of 2^64 or 2^128, which makes the subkeys of CMAC. */
function doubled(block: Buffer): Buffer {
  const bits = block.length * 8
  const value = BigInt(`0x${block.toString('hex')}`) << 1n
  const carried = value >> BigInt(bits) === 0n ? 0n : block.length === 16 ? 0x87n : 0x1bn
  const hex = (BigInt.asUintN(bits, value) ^ carried).toString(16)
  return Buffer.from(hex.padStart(block.length * 2, '0'), 'hex')
}
