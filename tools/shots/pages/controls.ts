import type { Shot } from '../shot.ts'

export const controls: readonly Shot[] = [
  { name: 'controls', path: '/console/controls', as: 'member' },
  {
    name: 'control-limit',
    path: ({ ids }) => `/console/controls/velocity/${ids.limit}`,
    as: 'member',
  },
  { name: 'control-list', path: ({ ids }) => `/console/controls/mccs/${ids.list}`, as: 'member' },
  { name: 'backtests', path: '/console/controls/backtests', as: 'member' },
  {
    name: 'backtest',
    path: ({ ids }) => `/console/controls/backtests/${ids.backtest}`,
    as: 'member',
  },
]
