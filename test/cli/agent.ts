/** An agent's client, of the official library, with `bezant mcp` as its server. */

import assert from 'node:assert/strict'
import { type CallToolResult, Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { PROGRAM } from './running.ts'

export type Members = Record<string, unknown>

/** The answer of a tool through the client library, with its first text and its object. */
export type Answered = { result: CallToolResult; text: string; texts: string[]; value: Members }

/** Starts `bezant mcp` with the words; `env` names the platform. It ends with the client. */
export async function openAgent(
  env: Record<string, string>,
  words: readonly string[] = [],
  options: ClientOptions = {},
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...words],
    env,
    stderr: 'pipe',
  })
  const said: string[] = []
  transport.stderr?.on('data', (chunk) => said.push(String(chunk)))
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  await client.connect(transport)
  /** Everything that a model has seen. */
  const seen: string[] = []
  return {
    client,
    seen,
    /** Standard error so far. */
    said: () => said.join(''),
    async call(name: string, given: Members = {}, signal?: AbortSignal): Promise<Answered> {
      const call = { name, arguments: given }
      const result = await client.callTool(call, signal && { signal })
      seen.push(JSON.stringify(result))
      const texts = result.content.map((one) => (one.type === 'text' ? one.text : one.type))
      return { result, text: texts[0] ?? '', texts, value: Object(result.structuredContent) }
    },
    /** The object of an answer that is no error. */
    async answer(name: string, given: Members = {}): Promise<Members> {
      const { result, text, value } = await this.call(name, given)
      assert.equal(result.isError, undefined, text)
      return value
    },
    /** The text of an answer that is an error. */
    async refused(name: string, given: Members = {}): Promise<string> {
      const { result, text } = await this.call(name, given)
      assert.equal(result.isError, true, text)
      return text
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
