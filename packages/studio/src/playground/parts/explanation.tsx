/** What the reader sees, in a few plain sentences. */
export function Explanation() {
  return (
    <section class="explanation" aria-labelledby="explanation">
      <h2 id="explanation">What you see</h2>
      <p>
        Three small networks start from the same weights and see the same points in the same order. The colour of a
        place is the class that a network would say there, the fuller the surer it is. One in four points of every class
        is hollow: it is held out. Nobody learns from it; it shows what a network makes of points that it has not seen.
      </p>
      <dl>
        <div>
          <dt>One-hot labels</dt>
          <dd>
            The usual way: a triangle’s label is 1 for triangle and 0 for everything else. Every point counts the same,
            so the common class decides where classes overlap, and the region of the rare one shrinks or is gone.
          </dd>
        </div>
        <div>
          <dt>Enhancement encoding</dt>
          <dd>
            Before each epoch the network is asked about the held-out points. If it takes triangles for circles, the
            label of all triangles becomes more than 1 for triangle and less than 0 for circle: the network is pulled
            harder there, and pushed away from the class that it confuses them with. Once it finds them, the labels go
            back towards 1 and 0. The matrix holds the label of every class. <i>ε</i> says how strongly labels answer to
            what is measured, <i>μ</i> how quickly they follow it.
          </dd>
        </div>
        <div>
          <dt>Logit adjustment</dt>
          <dd>
            Labels stay 1 and 0. In training the logarithm of each class’s share is added to what the network says, so
            that it need not learn that one class is common. What is left treats all classes as equally likely, however
            the held-out points fare. <i>τ</i> says how much of it is taken away; at 0 it is one-hot.
          </dd>
        </div>
      </dl>
      <p>
        Neither is magic: a larger region for the rare class takes in points of the common one. Try <i>ε</i> at its
        highest, paint a single rare point far away, or make the classes equal, and see which picture you would rather
        trust.
      </p>
    </section>
  );
}
