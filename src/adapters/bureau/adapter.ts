/** A bureau that takes files by SFTP, or from a folder of this machine (D-1023). */

import type { Bureau } from '#issuing/card_orders/provider.ts'
import type { Adapter } from '../adapter.ts'
import { openFolder } from './folder.ts'
import { type BureauSettings, settingsOf, variables } from './settings.ts'
import { openSftp } from './sftp.ts'

export const bureau: Adapter<typeof variables, BureauSettings> = {
  name: 'bureau',
  provides: ['bureau'],
  variables,
  settingsOf,
  open: (settings) => ({ bureau: bureauOf(settings) }),
}

function bureauOf(settings: BureauSettings): Bureau {
  const { name, layout, zpk, place, answers, recipient, signer, passphrase } = settings
  return {
    name,
    outside: true,
    layout,
    zpk,
    keys: async () => ({ recipient, signer, passphrase }),
    open: async () =>
      'folder' in place
        ? openFolder(place.folder, answers ?? place.folder)
        : openSftp(place.sftp, answers ?? place.sftp.folder),
  }
}
