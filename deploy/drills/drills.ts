/** All drills by name. A page of docs/transcripts has the name of the drill that has written it. */

import type { Transcript } from './transcript.ts'

type Drill = {
  /** The title of the page. */
  title: string
  load: () => Promise<{ drill: (transcript: Transcript) => Promise<void> }>
}

export const drills: Readonly<Record<string, Drill>> = {
  alerts: {
    title: 'Each alert is caused, and fires',
    load: () => import('./alerts.ts'),
  },
  bureau: {
    title: 'A card is ordered from a bureau, and pays by its chip and PIN',
    load: () => import('./bureau.ts'),
  },
  clearing: {
    title: 'A day of orders is cleared by file, while both sides are killed',
    load: () => import('./clearing.ts'),
  },
  cluster: {
    title: 'A cluster grows, moves and loses tenants under load',
    load: () => import('./cluster.ts'),
  },
  dispute: {
    title: 'Two disputes at both sides, one lost and one won',
    load: () => import('./dispute.ts'),
  },
  failover: {
    title: 'A primary is lost under load, and its standby takes over',
    load: () => import('./failover.ts'),
  },
  image: {
    title: 'The image is built from its recipe, and works',
    load: () => import('./image.ts'),
  },
  orders: {
    title: 'A day of orders, while the shop and the issuer are killed',
    load: () => import('./orders.ts'),
  },
  restore: {
    title: 'Restored to the moment before a disaster',
    load: () => import('./restore.ts'),
  },
  upgrade: {
    title: 'Two versions side by side, and the way back',
    load: () => import('./upgrade.ts'),
  },
  unit: {
    title: 'The systemd unit is valid and hardened',
    load: () => import('./unit.ts'),
  },
}
