import 'virtual:report.css';
import './style/studio.css';
import { render } from 'preact';

const root = document.getElementById('studio');
if (root !== null) render(<main />, root);
