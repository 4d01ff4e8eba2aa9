import { StartError } from '#kit/start_error.ts'

export type Settings = Readonly<Record<string, string>>

/**
 * Settings for many short transactions on a modest machine: an idle server uses about 100 MB, and
 * the write-ahead log up to 2 GB of disk so that checkpoints are few.
 */
const SETTINGS: Settings = {
  max_connections: '100',
  shared_buffers: '256MB',
  wal_buffers: '16MB',
  min_wal_size: '128MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  // Compiling a plan costs more than any statement here takes.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The program logs its own errors, redacted. The server's log must not repeat their statements,
  // rows or keys, since these may contain card data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length_on_error: '0',
  logging_collector: 'off',
  log_destination: 'stderr',
}

/** The settings by which an answered payment survives a power cut. They cannot be changed. */
const DURABLE: Settings = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }

/** The arguments of the server. On its command line, ALTER SYSTEM cannot undo them. */
export function settingArguments(settings: Settings, socket_folder: string): string[] {
  for (const [name, value] of Object.entries(DURABLE)) {
    if ((settings[name] ?? value) !== value) {
      throw new StartError(`${name} stays ${value}: without it, confirmed payments could be lost`)
    }
  }
  const access: Settings = {
    listen_addresses: '',
    unix_socket_directories: socket_folder,
    unix_socket_permissions: '0700',
  }
  return Object.entries({ ...SETTINGS, ...settings, ...DURABLE, ...access }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  )
}
