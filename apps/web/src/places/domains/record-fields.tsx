import { domainsTexts as texts } from '../../texts/domains.js';
import { CopyField } from '../../ui/copy-field.js';

interface Props {
  readonly domain: string;
  readonly host: string;
  readonly value: string;
}

/** A DNS record, whose parts are copied apart, because providers have a field for each. */
export function RecordFields({ domain, host, value }: Props) {
  return (
    <>
      <dl className="facts">
        <dt>{texts.type}</dt>
        <dd>{texts.typeValue}</dd>
      </dl>
      <CopyField label={texts.host} value={host} copyLabel={texts.copyHost} />
      <p className="hint">{texts.hostHint(domain)}</p>
      <CopyField label={texts.value} value={value} copyLabel={texts.copyValue} />
    </>
  );
}
