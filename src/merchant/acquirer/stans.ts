/** DE11 of messages to the issuer: six digits that no two messages of a tenant soon share. */

import { randomInt } from 'node:crypto'
import type { Context, Tx } from '#kit/context.ts'
import { drawNumber } from '#kit/db/counters.ts'
import type { Db } from '#kit/db/database.ts'
import type { Stamp } from './wire.ts'

/**
 * A counter is locked until the transaction that draws from it ends. So the numbers are shared out
 * between several, and a transaction draws from that of its connection: it waits for no other, and
 * two that draw more than one number cannot wait for each other.
 */
const COUNTERS = 16
/** A number comes back only after so many messages of one counter. */
export const NUMBERS = Math.floor(999_999 / COUNTERS)

const counters = new WeakMap<Db, number>()
let latest = randomInt(COUNTERS)

function counterOf(db: Db): number {
  const known = counters.get(db)
  if (known !== undefined) return known
  latest = (latest + 1) % COUNTERS
  counters.set(db, latest)
  return latest
}

/**
 * Messages of two tenants may share a number; their retrieval references (DE37) distinguish them,
 * for the match of answers as for the duplicates of the issuer (D-109).
 */
export async function nextStan(tx: Tx): Promise<string> {
  const counter = counterOf(tx.db)
  return textOf(counter, Number(await drawNumber(tx, nameOf(counter), NUMBERS)))
}

/**
 * The numbers that a process draws at one time, for messages that are recorded by later
 * transactions.
 */
const BLOCK = 32

type Block = { counter: number; last: number; left: number }

/** The blocks of each tenant of a process. */
const blocks = new WeakMap<Db, Promise<Block>>()

/** The time and DE11 of a message that a later transaction records: seldom needs a statement. */
export async function reserveStamp(ctx: Context): Promise<Stamp> {
  return { now: ctx.now, stan: await reserveStan(ctx) }
}

async function reserveStan(ctx: Context): Promise<string> {
  for (;;) {
    const known = blocks.get(ctx.db) ?? newBlock(ctx)
    const block = await known
    if (block.left > 0) {
      block.left -= 1
      return textOf(block.counter, block.last - block.left)
    }
    if (blocks.get(ctx.db) === known) blocks.delete(ctx.db)
  }
}

/** One that cannot be drawn fails those that wait for it; the next message draws again. */
function newBlock(ctx: Context): Promise<Block> {
  const drawn = drawBlock(ctx)
  blocks.set(ctx.db, drawn)
  drawn.catch(() => blocks.delete(ctx.db))
  return drawn
}

async function drawBlock(ctx: Context): Promise<Block> {
  const counter = counterOf(ctx.db)
  const last = Number(await drawNumber(ctx, nameOf(counter), NUMBERS, BLOCK))
  return { counter, last, left: BLOCK }
}

const nameOf = (counter: number) => `acquirer stan ${counter}`
const textOf = (counter: number, number: number) =>
  String(counter * NUMBERS + number).padStart(6, '0')
