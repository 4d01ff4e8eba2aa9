/** OpenSSH's server on loopback, with the account of the tests and a key for it. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { until } from './receiver.ts'

const PLACES = ['/usr/sbin/sshd', '/usr/local/sbin/sshd']
const FOUND = PLACES.find((place) => existsSync(place))
/** Says what is missing, as `skip` of a test; false where the server is there. */
export const missingSshd = FOUND === undefined && 'sshd is missing: apt-get install openssh-server'

export type TestSshd = {
  host: string
  port: number
  user: string
  /** `SHA256:…` */
  host_key: string
  /** The private key that it lets in, and another one. */
  key: string
  other_key: string
  [Symbol.dispose]: () => void
}

/** `readOnly` lets nobody write; `passwords` asks for one, and knows none of the tests. */
type Way = { readOnly?: boolean; passwords?: boolean }

export async function openSshd({ readOnly, passwords }: Way = {}): Promise<TestSshd> {
  const place = mkdtempSync(join(tmpdir(), 'sshd-'))
  const makeKey = (name: string) => {
    const path = join(place, name)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path])
    return { path, text: readFileSync(path, 'utf8') }
  }
  const [host, own, other] = [makeKey('host'), makeKey('own'), makeKey('other')]
  const listed = execFileSync('ssh-keygen', ['-lf', `${host.path}.pub`], { encoding: 'utf8' })
  const port = await freePort()
  const config = join(place, 'sshd_config')
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${host.path}`,
    `AuthorizedKeysFile ${own.path}.pub`,
    `PidFile ${join(place, 'pid')}`,
    'StrictModes no',
    'PermitRootLogin yes',
    `PasswordAuthentication ${passwords ? 'yes' : 'no'}`,
    'UsePAM no',
    `Subsystem sftp internal-sftp${readOnly ? ' -R' : ''}`,
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const server = spawn(FOUND ?? '', ['-D', '-e', '-f', config], { stdio: 'ignore' })
  await until('sshd listens', () => listens(port))
  return {
    host: '127.0.0.1',
    port,
    user: userInfo().username,
    host_key: /SHA256:\S+/.exec(listed)?.[0] ?? '',
    key: own.text,
    other_key: other.text,
    [Symbol.dispose]: () => end(server, place),
  }
}

function end(server: ChildProcess, place: string): void {
  server.kill()
  rmSync(place, { recursive: true, force: true })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const found = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return found
}
