/**
 * Sends files of any size without holding one, from a process of its own, so that the memory of the
 * receiving process can be measured: node large_sender.ts URL KEY declared|undeclared|false SIZE…
 * Prints the status of the answer.
 */

import { once } from 'node:events'
import { request } from 'node:http'
import { form, pdf } from '../files.ts'

/** Whether the length of the body is declared before it, and correctly. */
export type Length = 'declared' | 'undeclared' | 'false'

const FALSE_LENGTH = 1024 * 1024

const [url = '', apikey = '', length = '', ...sizes] = process.argv.slice(2)
const BLANK = Buffer.alloc(64 * 1024, ' ')

const name = sizes.length === 1 ? 'file' : 'files'
const empty = { name, value: 'FILE', file_name: 'a.pdf', content_type: 'application/pdf' }
const { headers, payload } = form(...sizes.map(() => empty))
const pieces = payload.toString('latin1').split('FILE')
const total = sizes.reduce((sum, size) => sum + Number(size) - 4, payload.length)

const reported = length === 'declared' ? total : FALSE_LENGTH
const sent = request(url, {
  method: 'PUT',
  headers: {
    apikey,
    ...headers,
    ...(length !== 'undeclared' && { 'content-length': String(reported) }),
  },
})
sent.on('error', () => {})
let isAnswered = false
const answered = once(sent, 'response').finally(() => {
  isAnswered = true
})
for (const [at, size] of sizes.entries()) {
  await write(pieces[at] ?? '')
  for (const piece of piecesOf(Number(size))) await write(piece)
}
sent.end(pieces.at(-1))
const [answer] = await answered
process.stdout.write(String(answer.statusCode))
sent.destroy()

async function write(bytes: Buffer | string): Promise<void> {
  if (isAnswered || sent.write(bytes, 'latin1')) return
  await Promise.race([once(sent, 'drain'), answered])
}

/** A PDF of exactly this size. */
function* piecesOf(size: number): Generator<Buffer> {
  const whole = pdf('BODY')
  const at = whole.indexOf('BODY')
  yield whole.subarray(0, at)
  let left = size - (whole.length - 4)
  for (; left > 0; left -= BLANK.length) yield BLANK.subarray(0, Math.min(left, BLANK.length))
  yield whole.subarray(at + 4)
}
