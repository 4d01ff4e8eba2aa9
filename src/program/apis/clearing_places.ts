/** The places in which clearing files of the networks of NETWORKS_FILE appear (D-1041). */

import { readFile } from 'node:fs/promises'
import { openFoundFolder } from '#adapters/bureau/folder.ts'
import { openSftpFolder } from '#adapters/bureau/sftp.ts'
import { PlaceFault } from '#kit/files/place_fault.ts'
import { Secret } from '#lib/secret.ts'
import type { ClearingPlace, NamedNetwork } from '#src/config/networks.ts'

export const clearingPlaces = (networks: readonly NamedNetwork[]) =>
  networks.flatMap(({ name: network, clearing }) => {
    if (clearing === null) return []
    const { place, tenant_id, look_s } = clearing
    return [{ network, tenant_id, look_s, open: () => open(place) }]
  })

async function open(place: ClearingPlace['place']) {
  if ('folder' in place) return openFoundFolder(place.folder)
  const { sftp, host_key, secret, secret_file } = place
  const text = await readFile(secret_file, 'utf8').catch((error: unknown) => {
    const { code } = Object(error) as { code?: unknown }
    throw new PlaceFault(`the ${secret} of ${sftp.host} cannot be read (${String(code)})`)
  })
  const [key, password] =
    secret === 'key' ? [new Secret(text), null] : [null, new Secret(text.replace(/\r?\n$/, ''))]
  return openSftpFolder({ ...sftp, host_key, key, password })
}
