import 'virtual:report.css';
import './style/studio.css';
import './style/views.css';
import { render } from 'preact';
import { App } from './app.js';
import { start } from './server/run-store.js';

const root = document.getElementById('studio');
if (root !== null) {
  void start();
  render(<App />, root);
}
