import { useTranslation } from 'react-i18next'
import type { Network } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, countText } from '../../parts/values.tsx'

/** The settings of a network, and its counts since the processes started. */
export function NetworkFacts({ network }: { network: Network }) {
  const { t } = useTranslation()
  const { role, addresses, bins, mac_algorithm, mac_required } = network
  const algorithm = mac_algorithm ?? '–'
  return (
    <Panel title={t('operator.networks.facts')}>
      <Facts
        rows={[
          [
            t(`operator.networks.${role === 'listen' ? 'listens' : 'connects'}`),
            <Code key="addresses">{addresses.join(', ')}</Code>,
          ],
          [t('operator.networks.dialect'), <Code key="dialect">{network.dialect}</Code>],
          [t('operator.networks.header'), <Code key="header">{network.header}</Code>],
          [t('operator.networks.envelope'), <Code key="envelope">{network.envelope}</Code>],
          [
            t('operator.networks.mac'),
            mac_required ? (
              t('operator.networks.mac_required', { algorithm })
            ) : (
              <Code key="mac">{algorithm}</Code>
            ),
          ],
          [t('operator.networks.codes'), <Code key="codes">{network.codes}</Code>],
          [t('operator.networks.billing'), t(`operator.networks.billings.${network.billing}`)],
          [t('operator.networks.sign_on'), t(`operator.networks.signs_on.${network.sign_on}`)],
          [
            t('operator.networks.echo'),
            t('operator.networks.seconds', { n: countText(network.echo_seconds) }),
          ],
          [
            t('operator.networks.deadline'),
            <Code key="deadline">{`${countText(network.deadline_ms)} ms`}</Code>,
          ],
          [
            t('operator.networks.bins'),
            bins ? <Code key="bins">{bins.join(', ')}</Code> : t('operator.networks.all_bins'),
          ],
          [t('operator.networks.mac_failures'), countText(network.mac_failures)],
          [t('operator.networks.refused'), countText(network.messages_refused)],
        ]}
      />
    </Panel>
  )
}
