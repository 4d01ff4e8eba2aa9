/** Public functions of the networks slice: the keys of the networks of NETWORKS_FILE. */

export { NetworkKeys, readZoneMasterKey, type SentKey } from './network_keys.ts'
export { sealedNetworkKeys } from './store.ts'
