/** Imports clearing files into a world, and posts them. */

import assert from 'node:assert/strict'
import { form } from '#test/support/files.ts'
import type { Answer, World } from '#test/support/world.ts'

export type Clearer = ReturnType<typeof openClearer>

export function openClearer(world: World) {
  const { operator_key: key } = world
  const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    world.request(method, `/v1/operator/clearings${path}`, body, { key, headers })
  const upload = (file: Buffer, tenant_id?: string): Promise<Answer> => {
    const { headers, payload } = form(
      ...(tenant_id === undefined ? [] : [{ name: 'tenant_id', value: tenant_id }]),
      { name: 'file', value: file, file_name: 'T112.bin' },
    )
    return world.request('POST', '/v1/operator/clearings', payload, { key, headers })
  }
  return {
    ask,
    upload,
    /** Imports a file that is accepted, and posts all of it; answers its records. */
    async clear(file: Buffer, tenants: readonly string[] = [world.tenant.id]) {
      const { status, body, text } = await upload(file)
      assert.equal(status, 200, text)
      assert.deepEqual(body.faults, [])
      for (const tenant of tenants) await world.sweeper.runDueJobs(tenant)
      const records = await ask('GET', `/${body.id}/records?limit=200`)
      assert.equal(records.status, 200, records.text)
      return {
        id: body.id,
        records: records.body.data,
        file: (await ask('GET', `/${body.id}`)).body,
      }
    },
    resolve: (id: string, number: number, body: object, headers?: Record<string, string>) =>
      ask('POST', `/${id}/records/${number}:resolve`, body, headers),
  }
}
