/** The side of the suite of a line that fails as a test wishes. */

import type { LineAnswer, LineRequest, Reply } from '../given.ts'
import { given } from './harness.ts'

export const json = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** The answer of an error with this code. */
export const problem = (status: number, code: string, headers?: Record<string, string>): Reply =>
  json(status, { status, code, detail: `It is ${code}.`, request_id: 'r1' }, headers)

export const good = json(200, { id: '1' })

/** Gives each answer once, and the last one again where no other is left. */
export async function openLine(answers: readonly LineAnswer[]) {
  const body = JSON.stringify({ answers })
  const ask = async (url: string, init?: RequestInit) =>
    JSON.parse(await (await fetch(url, init)).text())
  const { id } = await ask(given.line_url, { method: 'POST', body })
  const baseUrl = `${given.line_url}/${id}`
  const received = (): Promise<LineRequest[]> => ask(baseUrl)
  return { baseUrl, received }
}
