import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { DownloadButton } from '../../parts/download_button.tsx'
import { saveText } from '../../parts/export_csv.tsx'
import { Failing } from '../../parts/failing.tsx'

type DownloadCsvProps = { query: { date: string; tenant_id?: string } }

/** The whole report, which the page may have the beginning of. */
export function DownloadCsv({ query }: DownloadCsvProps) {
  const { t } = useTranslation()
  const downloading = useMutation({
    mutationFn: async () => {
      const answer = await answered(issuing.operator.getReconciliationAsCsv(query))
      saveText(`reconciliation-${query.date}.csv`, await answer.text())
    },
  })
  if (downloading.error) return <Failing error={downloading.error} retry={downloading.mutate} />
  return (
    <DownloadButton
      label={t('downloads.export')}
      isPending={downloading.isPending}
      onClick={() => downloading.mutate()}
    />
  )
}
