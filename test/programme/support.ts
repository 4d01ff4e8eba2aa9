/** A platform that listens, and `export`, `plan` and `apply` against it. */

import assert from 'node:assert/strict'
import { openWorld, type TestTenant, type World } from '#test/support/world.ts'
import type { Terminal } from '../../apps/cli/programme/run.ts'
import { ENVIRONMENT, fileOf } from './files.ts'
import { type Ran, runCommand } from './running.ts'

export type Platform = {
  world: World
  url: string
  run: (args: readonly string[], terminal?: Partial<Terminal>) => Promise<Ran>
  /** The same by the key of another tenant. */
  runAs: (tenant: TestTenant, args: readonly string[], more?: Partial<Terminal>) => Promise<Ran>
  exported: () => Promise<string>
  /** Applies the text of a file without asking; fails if it does not end with 0. */
  apply: (text: string, ...args: string[]) => Promise<Ran>
  made: (path: string, body: object) => Promise<{ id: string }>
}

export async function openPlatform(): Promise<Platform> {
  const world = await openWorld()
  const url = await world.app.listen({ host: '127.0.0.1', port: 0 })
  const runAs: Platform['runAs'] = async (tenant, args, more = {}) => {
    const env = { BEZANT_URL: url, BEZANT_KEY: tenant.api_key, ...more.env }
    const ran = await runCommand(args, { ...more, env })
    assert.ok(!`${ran.out}${ran.errors}`.includes(tenant.api_key), 'the key is on the screen')
    return ran
  }
  const run: Platform['run'] = (args, more) => runAs(world.tenant, args, more)
  return {
    world,
    url,
    run,
    runAs,
    async exported() {
      const { code, out, errors } = await run(['export'])
      assert.equal(code, 0, errors)
      return `${out}\n`
    },
    async apply(text, ...args) {
      const ran = await run(['apply', fileOf(text), '--yes', ...args], { env: ENVIRONMENT })
      assert.equal(ran.code, 0, ran.errors)
      return ran
    },
    async made(path, body) {
      const answer = await world.request('POST', `/v1/${path}`, body)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    },
  }
}
