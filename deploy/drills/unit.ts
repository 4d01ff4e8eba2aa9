/** The systemd unit, read by systemd itself, and the program with what it allows a process. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { DrillFault } from './fault.ts'
import { locate, type Running, run, start } from './programs.ts'
import { makeFolderOfAccount, optionsOfAccount } from './stage/account.ts'
import { folderOf } from './stage/folder.ts'
import * as platform from './stage/platform.ts'
import { makeServer } from './stage/postgres.ts'
import { rightsOf, withoutRights } from './stage/rights.ts'
import { allowedCalls } from './stage/system_calls.ts'
import type { Transcript } from './transcript.ts'

const UNIT = 'deploy/bezant.service'
/** The folder in which the unit expects a release; here it is this folder. */
const RELEASE = '/opt/bezant'
/** The highest exposure that systemd calls OK is 4. */
const EXPOSURE_MAX = 1.5
/** Each card passes through the vault, the ledger and the pools of the database. */
const CARDS = 5
const EXPOSURE = /exposure level for \S+: ([\d.]+)/

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
  const open = security.output.split('\n').filter((line) => !line.startsWith('✓'))
  transcript.print(open.map((line) => line.trimEnd()).join('\n'))
  const exposure = Number(EXPOSURE.exec(security.output)?.[1])
  if (!(exposure <= EXPOSURE_MAX)) throw new DrillFault(`the exposure is above ${EXPOSURE_MAX}`)

  await work(transcript, analyze)
}

/** systemd is no part of this: it would have to be the first process of the machine. */
async function work(transcript: Transcript, analyze: string): Promise<void> {
  transcript.step('The program works with what its process is allowed')
  transcript.explain(
    'The process is restricted as by the unit: no account of an administrator, no capability, ' +
      'no way to gain one (`setpriv`), and every system call that the filter does not allow is ' +
      'answered EPERM (`strace`). It can write nothing but its folder, since the files of the ' +
      'program are of another account. Name spaces (`ProtectSystem=`, `PrivateTmp=` and the ' +
      'like) and `RestrictAddressFamilies=` are not tried here: systemd sets them up.',
  )
  await using stack = new AsyncDisposableStack()
  const folder = folderOf(stack, transcript)
  const calls = allowedCalls(readFileSync(UNIT, 'utf8'), run(analyze, ['syscall-filter']).output)
  const server = await makeServer(join(folder, 'server'))
  stack.defer(() => server.kill())
  const log = join(makeFolderOfAccount(join(folder, 'log')), 'refused')
  const data_dir = makeFolderOfAccount(join(folder, 'data'))
  const ports = await platform.freePorts()
  const env = {
    MODE: 'live',
    DATABASE_URL: server.url(),
    DATA_DIR: data_dir,
    PORT: String(ports.http),
    NETWORK_PORT: String(ports.network),
    MASTER_KEY: randomBytes(32).toString('hex'),
  }
  const program = stack.use(startRestricted(calls, log, env))
  await program.until(/ is ready after .*/)
  transcript.print(`${calls.size} system calls are allowed`)
  transcript.print(/^.* is ready after .*$/m.exec(program.text())?.[0] ?? '')
  const { cards } = await platform.makeTenant(ports, platform.operatorKey(data_dir), CARDS)
  transcript.print(`${cards.length} cards are issued, funded, and read with their numbers`)
  transcript.print(rightsOf(program.pid))
  program.kill('SIGTERM')
  transcript.print(`SIGTERM: it has stopped with ${await program.ended}`)
  transcript.print(`refused: ${refusedCalls(readFileSync(log, 'utf8')) || 'nothing'}`)
}

/** `strace -D` traces its parent, so that the process that is started is the program's. */
function startRestricted(
  calls: ReadonlySet<string>,
  log: string,
  env: Readonly<Record<string, string>>,
): Running {
  const { uid, gid } = optionsOfAccount() as { uid?: number; gid?: number }
  const rights = withoutRights(uid, gid)
  // A question mark: a call that another architecture has.
  const others = `!${[...calls].map((call) => `?${call}`).join(',')}`
  const trace = ['-D', '-f', '-qq', '--seccomp-bpf', '-o', log, `--trace=${others}`]
  const refuse = [`--inject=${others}:error=EPERM`]
  const program = [locate('strace', 'strace'), ...trace, ...refuse, process.execPath, 'src/main.ts']
  return start(locate('setpriv', 'util-linux'), [...rights, ...program], { env })
}

function refusedCalls(log: string): string {
  const names = [...log.matchAll(/^\d+ +(\w+)\(/gm)].map(([, name]) => name)
  return [...new Set(names)].sort().join(', ')
}

/** The verdict of systemd on the unit; the program that it starts must exist for this. */
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
