/** What the reader sees, in a few plain sentences. */
export function Explanation() {
  return (
    <section class="explanation" aria-labelledby="explanation">
      <h2 id="explanation">What you see</h2>
      <p>
        Three small networks start from the same weights and see the same points in the same order. The colour at a
        point is the class that a network would predict there; the stronger the colour, the more confident it is. One in
        four points of every class is hollow: it is held out. No network learns from it; it shows how a network does on
        points that it has not seen.
      </p>
      <dl>
        <div>
          <dt>One-hot labels</dt>
          <dd>
            The usual way: a triangle’s label is 1 for triangle and 0 for everything else. Every point counts the same,
            so the common class decides where classes overlap, and the region of the rare one shrinks or disappears.
          </dd>
        </div>
        <div>
          <dt>Enhancement encoding</dt>
          <dd>
            Before each epoch the network is asked about the held-out points. If it takes triangles for circles, the
            label of all triangles becomes more than 1 for triangle and less than 0 for circle: the network is pulled
            harder there, and pushed away from the class that it confuses them with. Once it finds them, the labels go
            back towards 1 and 0. The matrix holds the label of every class. <i>ε</i> says how strongly the labels react
            to these measurements, <i>μ</i> how quickly.
          </dd>
        </div>
        <div>
          <dt>Logit adjustment</dt>
          <dd>
            Labels stay 1 and 0. In training the logarithm of each class’s frequency is added to the network’s outputs,
            so that the network need not learn that one class is common. Predictions are made without it: all classes
            are treated as equally likely, whatever happens to the held-out points. <i>τ</i> says how much is added; at
            0 it is ordinary training.
          </dd>
        </div>
      </dl>
      <p>
        Neither is magic: a larger region for the rare class includes points of the common one. Try <i>ε</i> at its
        highest, paint a single rare point far away, or make the classes equal, and see which picture you would rather
        trust.
      </p>
    </section>
  );
}
