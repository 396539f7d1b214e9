import 'virtual:report.css';
import '../style/studio.css';
import './playground.css';
import { render } from 'preact';
import { Playground } from './playground.jsx';
import { start } from './state.js';

const root = document.getElementById('playground');
if (root !== null) {
  const { worker = '', runtime = '' } = root.dataset;
  render(<Playground />, root);
  start({ worker, runtime });
}
