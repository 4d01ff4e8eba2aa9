/** Public functions of the networks slice: the keys of the networks of NETWORKS_FILE. */

export { auditNetworkKeys } from './audit.ts'
export { deleteLines, deleteOldLines, type NetworkState, upsertLines } from './lines.ts'
export { moveNetworkKeys } from './moves.ts'
export { NetworkKeys, type SentKey } from './network_keys.ts'
export { bindingOfNetworkKey, hasKeyInSoftware, sealedNetworkKeys } from './store.ts'
export { readZoneMasterKey } from './zone_master_key.ts'
