import { useId } from 'react';

interface Props {
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly isBusy?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Something that is on or off, and applies at once. While it is busy it keeps its focus and does nothing. */
export function Toggle({ label, hint, isOn, isBusy = false, onChange }: Props) {
  const id = useId();
  return (
    <div className="toggle" data-busy={isBusy || undefined}>
      <input
        type="checkbox"
        role="switch"
        id={id}
        aria-describedby={`${id}-hint`}
        checked={isOn}
        onChange={({ target }) => isBusy || onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}
