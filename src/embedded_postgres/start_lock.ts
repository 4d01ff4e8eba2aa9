/** One process at a time makes, starts, adopts or stops the server of a cluster. */

import { existsSync, unlinkSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf, StartError } from '#kit/start_error.ts'
import { hashOf } from './place.ts'

const POLL_MS = 20

/** Longer than the longest recovery that the holder of the lock waits for. */
const LONGEST_WAIT_MS = 6 * 60_000

/**
 * The lock is a listening socket, since the system closes it with the process, however that ends.
 * On Linux it has an abstract name and leaves no file. Elsewhere a killed process leaves the file:
 * a socket file at which no process answers is removed.
 */
export async function withStartLock<Result>(
  cluster: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const name = `bezant-start-${hashOf(cluster)}`
  const address = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name)
  const lock = await acquire(address, cluster)
  try {
    return await work()
  } finally {
    await new Promise<void>((resolve) => lock.close(() => resolve()))
  }
}

async function acquire(address: string, cluster: string): Promise<Server> {
  for (const end = Date.now() + LONGEST_WAIT_MS; Date.now() < end; await pause(POLL_MS)) {
    const lock = await listen(address)
    if (lock) return lock
    if (existsSync(address) && !(await answers(address))) unlinkSync(address)
  }
  throw new StartError(
    `another process has been starting or stopping ${cluster} for ${LONGEST_WAIT_MS / 60_000} ` +
      'minutes: end it and start again',
  )
}

/** Null if another process listens. */
function listen(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((visitor) => visitor.destroy())
    server.once('error', (error) => {
      if (codeOf(error) === 'EADDRINUSE') resolve(null)
      else reject(error)
    })
    server.listen(address, () => resolve(server))
  })
}

/** Whether a process listens at the address of a Unix socket. */
export function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
