import { useTranslation } from 'react-i18next'
import type { Card, Transaction } from '../../api/types.ts'
import { Panel } from '../../parts/panel.tsx'
import type { Sent } from './send.ts'
import styles from './simulator.module.css'

type FieldName =
  | 'mti'
  | 'pan'
  | 'amount'
  | 'stan'
  | 'mcc'
  | 'entry'
  | 'rrn'
  | 'approval'
  | 'code'
  | 'terminal'
  | 'merchant_id'
  | 'merchant_name'
  | 'currency'

type Line = { number: string; name: FieldName; value: string | undefined }

/** The data elements of ISO 8583 that the answer has, in their order. */
function linesOf(message: Transaction, card: Card | undefined): Line[] {
  const { merchant, pos, amount, currency, stan, rrn, approval_code } = message
  const place = [merchant.name, merchant.city, merchant.country].filter(Boolean).join(', ')
  const lines: Line[] = [
    { number: 'MTI', name: 'mti', value: message.message_type },
    { number: '2', name: 'pan', value: card?.masked_card_number },
    { number: '4', name: 'amount', value: String(amount) },
    { number: '11', name: 'stan', value: stan },
    { number: '18', name: 'mcc', value: merchant.mcc },
    { number: '22', name: 'entry', value: pos.entry_mode },
    { number: '37', name: 'rrn', value: rrn },
    { number: '38', name: 'approval', value: approval_code },
    { number: '39', name: 'code', value: message.status_code },
    { number: '41', name: 'terminal', value: pos.terminal_id },
    { number: '42', name: 'merchant_id', value: merchant.id },
    { number: '43', name: 'merchant_name', value: place },
    { number: '49', name: 'currency', value: currency },
  ]
  return lines.filter(({ value }) => value !== undefined && value !== '')
}

/** The region "Message": what went over the network. A what-if sends nothing. */
export function MessagePanel({ sent, card }: { sent: Sent | undefined; card: Card | undefined }) {
  const { t } = useTranslation()
  const lines = sent?.kind === 'transaction' ? linesOf(sent.message, card) : []
  const note =
    sent?.kind === 'what_if' ? t('simulator.what_if_hint') : t('simulator.waiting_message')
  return (
    <Panel title={t('simulator.message')}>
      {lines.length === 0 ? (
        <p className={styles['hint']}>{note}</p>
      ) : (
        <dl className={styles['message']}>
          {lines.map(({ number, name, value }) => (
            <div key={number}>
              <dt>
                <bdi dir="ltr">{number}</bdi> {t(`simulator.fields.${name}`)}
              </dt>
              <dd dir="ltr">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  )
}
