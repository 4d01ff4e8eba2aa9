/** The health of the platform: two processes that run it, one with a job that has failed. */

import { recordProcess } from '#issuing/processes/processes.ts'
import { JobRecords } from '#kit/jobs/job_records.ts'
import { newId } from '#lib/id.ts'
import type { Story } from './story.ts'

/** Job records as the heartbeats of two processes write them. */
export async function watchHealth({ call, world }: Story): Promise<void> {
  const records = new JobRecords(() => 0)
  records.add({ name: 'hold expiry', kind: 'SWEEP', every_ms: 1_000 })
  records.fail('hold expiry', new Error('planted'))
  const read = async () => records.read((await world.ctx()).now)
  const process = { version: '1.0.0', connections: 0, jobs: [] }
  const api = { ...process, id: newId(), name: 'api+network 7c1e', connections: 2 }
  const worker = { ...process, id: newId(), name: 'worker 90ab', jobs: await read() }
  await recordProcess(world.db, { ...api, roles: ['api', 'network'] })
  await recordProcess(world.db, { ...worker, roles: ['worker'] })
  await call('getHealth')
  await call('listProcesses')
  await call('listJobs')
}
