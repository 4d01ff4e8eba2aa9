/** The systemd unit, read by systemd itself. Nothing is started. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { DrillFault } from './fault.ts'
import { locate, run } from './programs.ts'
import type { Transcript } from './transcript.ts'

const UNIT = 'deploy/bezant.service'
/** Where the unit expects a release; here it is this folder. */
const RELEASE = '/opt/bezant'

export async function drill(transcript: Transcript): Promise<void> {
  const analyze = locate('systemd-analyze', 'systemd')
  transcript.step('Every line of the unit is one that systemd knows')
  transcript.print(run(analyze, ['--version']).output.split('\n')[0] ?? '')
  const faults = verify(analyze)
  if (faults !== '') throw new DrillFault(faults)
  transcript.print(`systemd-analyze verify ${UNIT}: no complaint`)

  transcript.step('What a service of this unit can reach')
  const security = run(analyze, ['security', '--offline=true', '--no-pager', UNIT])
  if (security.code !== 0) throw new DrillFault(security.output)
  transcript.print(security.output)
}

/** What systemd has against the unit; the program that it starts must exist for this. */
function verify(analyze: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-unit-'))
  try {
    const copy = join(folder, basename(UNIT))
    writeFileSync(copy, readFileSync(UNIT, 'utf8').replaceAll(RELEASE, resolve('.')))
    const { code, output } = run(analyze, ['verify', '--man=no', copy])
    return code === 0 ? output : output || `systemd-analyze verify ended with ${code}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}
