import { rates } from '../state.js';
import type { Rates } from '../training/protocol.js';

/** A slider of a rate, with what it does. */
export function RateSlider(props: {
  readonly rate: keyof Rates;
  readonly symbol: string;
  readonly name: string;
  readonly most: number;
  readonly step: number;
  readonly least?: number;
}) {
  const { rate, symbol, name, least = 0, most, step } = props;
  const value = rates.value[rate];
  return (
    <label class="slider">
      <span>
        <i>{symbol}</i> {name}
      </span>
      <span class="value">{value.toFixed(step < 0.1 ? 2 : 1)}</span>
      <input
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        onInput={({ currentTarget }) => {
          rates.value = { ...rates.value, [rate]: Number(currentTarget.value) };
        }}
      />
    </label>
  );
}
