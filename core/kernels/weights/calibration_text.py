"""The built-in calibration text: prose, dialogue, instructions, code and figures, written for Dyno.

It is a module and no resource, since the engines of a standalone build get core alone. Parts are separated by blank
lines. Changing a character changes the fingerprint of every calibration on it.
"""

TEXT = """\
The harbour was quiet when the ferry came in. Two men in yellow coats caught the ropes, and a dog that belonged
to neither of them watched from the end of the pier. By noon the market would fill the square with fish, bread
and second-hand books, but at six in the morning there was only the smell of salt and diesel.

To make a simple soup, chop two onions and three carrots and let them soften in butter. Add a litre of stock,
a bay leaf and a handful of lentils, and simmer for forty minutes. Taste before you add any salt: the stock may
have enough of its own. Serve it hot, with a spoon of yoghurt.

Photosynthesis turns light, water and carbon dioxide into sugar and oxygen. In the first stage, chlorophyll
absorbs light and its energy splits water; in the second, the plant uses that energy to fix carbon. Most of
the oxygen that we breathe was released this way, much of it by algae in the sea.

def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2

"How long have you lived here?" she asked. "Since the year of the flood," he said, "when the river took the old
bridge and nobody could cross for a month." He pointed at a line on the wall, higher than her head. She tried
to imagine the water there, brown and slow, with chairs and apples floating in it.

The committee met on Tuesday to discuss the budget for the coming year. Spending on roads will rise by four
percent, while the library keeps what it has. Three members voted against the proposal, arguing that repairs to
the school roof had already been postponed twice. A final decision is expected in March.

A train leaves the first station at 9:15 and travels at 80 kilometres per hour. Another leaves the second
station, 200 kilometres away, at 9:45 and travels towards it at 120 kilometres per hour. When the second train
starts, the first has covered 40 kilometres, so 160 remain. Together they close 200 kilometres every hour, which
takes them 48 minutes. They meet at 10:33.

Dear Ms. Albrecht, thank you for sending the drawings so quickly. I have gone through them with our carpenter,
and we have two questions. First, the staircase on the second sheet is shown with fourteen steps, but the list
of materials names fifteen. Second, could the window in the kitchen be moved twenty centimetres to the left? The
sink would then stand under it. If you agree, we can begin on the first Monday of May. Kind regards, Jonas Weber

What is the difference between weather and climate? Weather is what happens outside today: rain in the morning,
sun after lunch, a gust that takes your hat. Climate is what you would expect over many years. A single cold
winter says little about the climate, just as one lost match says little about a team. To see a trend you need
long records, honest instruments, and some patience with statistics.

The old clockmaker kept his shop open for one reason only: he wanted to hear, once more, all of his clocks strike
together. There were sixty-one of them. Some ran fast, some ran slow, and a tall one near the door stopped
whenever a lorry passed. Every evening he moved their hands a little, and every evening one of them disobeyed.
His granddaughter told him that the clocks were teasing him. "Then they have learned it from you," he answered,
and wound the next one.

Installation. 1. Switch off the machine and pull out the plug. 2. Loosen the four screws on the rear panel and
keep them in a cup. 3. Slide the old filter out; do not tilt it, since the dust would fall into the fan. 4. Put
the new filter in with the arrow pointing towards you. 5. Fasten the panel, starting with the upper left screw.
6. Let the machine run empty for ten minutes. If it hums, the filter is not seated properly: repeat step four.

Volcanoes are found mostly where plates of the earth's crust meet. Where one plate sinks under another, water
carried down with it lowers the melting point of the rock above, and the melt rises. Thick, sticky magma traps
gas and tends to explode; thin magma flows quietly and builds broad, gentle slopes. Iceland sits where two plates
drift apart, and also above a hot column of the mantle, so that it has more than its fair share of both fire and
warm bathing water.

class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("the amount must be positive")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError(f"{self.owner} has only {self.balance}")
        self.balance -= amount
        self.history.append(("withdraw", amount))

Visitors to the valley usually come for the waterfall, and leave talking about the cheese. It is made in three
dairies from the milk of small grey cows which spend the summer above the tree line. The wheels ripen for nine
months in a former railway tunnel, where the temperature never leaves the range between eight and ten degrees.
Tours start at two o'clock, except on Sundays. Wear warm shoes, and do not touch the shelves.

Question: A shop sells pencils at 35 cents each or in boxes of twelve for 3.60. How much does a school save on 144
pencils by buying boxes? Answer: One pencil at a time, 144 pencils cost 144 × 0.35 = 50.40. Twelve boxes cost 12 ×
3.60 = 43.20. The school saves 50.40 − 43.20 = 7.20, which is one seventh of the first price.

Good evening, and here is the news. After eleven days of talks the dockworkers have accepted a new contract. The
first ships are to be unloaded tonight. In the north, heavy snow has closed two mountain passes, and drivers are
asked to carry blankets and hot drinks. The national museum has announced that the painting which was stolen in
1987 hangs in its place again: it had been found behind a wardrobe, wrapped in a tablecloth. And in football, the
visitors won by a single goal in the last minute.

I never understood why my aunt kept three umbrellas by the door until the summer I stayed with her. One was for
rain. One was for the sun, because she said that a hat made her feel like a mushroom. The third had a broken rib
and a wooden handle carved like a duck, and it was for lending. "People return a broken umbrella," she explained.
"They are ashamed of it, so they bring it back. A good one you never see again."

The patient is a 54-year-old man who has had pain in his left knee for six weeks. There was no fall. The pain is
worse on stairs and after long sitting, and it wakes him at night about twice a week. The joint is slightly warm,
with full extension and flexion to 110 degrees. Advice: reduce running for a month, strengthen the thigh muscles
under guidance, use a cold pack in the evening, and come back if the swelling increases.

SELECT customers.name, COUNT(orders.id) AS number_of_orders, SUM(orders.total) AS revenue
FROM customers
LEFT JOIN orders ON orders.customer_id = customers.id
WHERE orders.placed_at >= '2023-01-01'
GROUP BY customers.name
HAVING SUM(orders.total) > 1000
ORDER BY revenue DESC;

Few inventions have changed the night as much as the street lamp. Before there was gas, respectable people carried
a lantern or hired a boy with a torch; after it, shops stayed open, theatres began later, and the stars went away.
Electric arcs were so bright that they had to be hung from towers. The small bulb won in the end, because it could
be put where it was wanted and because nobody had to climb up and light it.

- Could you tell me how to get to the post office?
- Of course. Go straight on until you reach the fountain, then turn right into Mill Street. It is the second
building after the bakery, the one with the green door.
- Is it far?
- Five minutes, if you do not stop at the bakery. Most people do.
- And does it close for lunch?
- From half past twelve until two. You still have a quarter of an hour, so perhaps you should walk quickly.

A computer stores whole numbers in binary, as sums of powers of two. The number thirteen is 1101: eight, plus four,
plus one. Fractions work in the same way with halves, quarters and eighths, and this is why one tenth cannot be
written exactly: its binary digits repeat for ever, as those of one third do in decimal. Add one tenth ten times
and you will not get one, but a number that is very close to it. Programs that count money avoid the trouble by
counting cents.

The river rises on the eastern side of the plateau at about 1,400 metres above the sea. For its first forty
kilometres it runs in a narrow gorge, and several hanging bridges cross it. Below the town of Sarnow it becomes
wide and slow, and splits around a chain of wooded islands on which herons breed. Barges can go as far as the old
salt works. In dry years the upper course may disappear altogether between July and October.

{"station": "north gate", "readings": [{"time": "06:00", "temperature": 4.5, "humidity": 0.91}, {"time": "12:00",
"temperature": 11.2, "humidity": 0.64}, {"time": "18:00", "temperature": 8.8, "humidity": 0.7}], "battery": "low"}

If you want to learn an instrument as an adult, choose one whose sound you love even when it is played badly,
because for a year you will hear little else. Ten minutes every day are worth more than two hours on Saturday. Play
slowly enough that you make no mistakes, since the hands remember errors as faithfully as successes. Record
yourself once a month, put the recording away, and listen to it only when you believe that you have not improved.

The court held that the contract had been formed when the seller posted the letter, and not when the buyer opened
it. The buyer had therefore no right to withdraw on the following morning. One judge disagreed: in her opinion the
advertisement was merely an invitation, and it was the buyer who had made the offer. The question of costs was left
to a later hearing.

Bees do not find flowers by chance alone. A worker that has come upon a good meadow returns to the hive and dances
on the comb: the angle of her run shows the direction with respect to the sun, and the length of each run tells the
distance. Other workers follow her in the dark, feeling her movements with their antennae. Then they fly out, and
most of them arrive. Experiments with moved feeding dishes have confirmed it many times since the first reports.

Once upon a time there was a fox who could not keep a secret. He told the rooster where the hens were hidden, he
told the farmer where the fox was hidden, and he told the moon everything else. One winter the animals decided to
give him a secret so dull that nobody would want to hear it. "Listen," whispered the hedgehog, "the lake is wet."
The fox ran off at once. By evening the whole forest knew that the lake was wet, and nobody had ever been so
pleased with a piece of news.

The vector space of all polynomials of degree at most two has dimension three, since every such polynomial is a
combination of 1, x and x squared in exactly one way. Differentiation maps this space into itself. Its kernel
consists of the constants, its image of the polynomials of degree at most one, and the two dimensions add up to
three, as the theorem on rank and nullity says they must.

Review: I have used this backpack for eight months, nearly every day. The straps are wide and do not cut into the
shoulders, the zip has never jammed, and a laptop fits into the padded pocket. Two things could be better. The
bottle holder is too tight for anything larger than half a litre, and the light grey fabric shows every stain. For
the price I would still buy it again, but in black. Four stars out of five.

In the spring of 1851 a young surveyor named Clara Holm was sent to measure the coast between two lighthouses. She
had a chain of sixty-six feet, a theodolite in a wooden box, and an assistant who was afraid of boats. The work was
planned for six weeks and took five months. Her map shows every rock that appears at low tide, and it was printed,
with few corrections, for the next ninety years. On the margin of the last sheet she drew the assistant, asleep.

for (let row = 0; row < grid.length; row += 1) {
  for (let column = 0; column < grid[row].length; column += 1) {
    const neighbours = countNeighbours(grid, row, column);
    if (grid[row][column] && (neighbours < 2 || neighbours > 3)) {
      next[row][column] = false;
    } else if (!grid[row][column] && neighbours === 3) {
      next[row][column] = true;
    }
  }
}

Yeast is alive, and it has preferences. In a cold kitchen it works slowly, which is not a fault: dough that rises
overnight tastes better than dough that is hurried. Too much salt holds it back, a little sugar wakes it, and water
above fifty degrees kills it. If you are not sure whether an old packet is still good, stir a spoonful into warm
water with a pinch of sugar, and wait ten minutes. Foam means bread. No foam means crackers.

Minutes of the residents' meeting, 14 October. Present: nine households. The lift will be inspected on the 28th and
cannot be used between eight and eleven. The bicycle cellar is full; bicycles without a name tag will be moved to
the yard on 1 November. Mrs. Okafor offered to look after the plants in the entrance. The proposal to paint the
stairwell yellow was rejected by five votes to four, and the proposal to paint it white was postponed.

Why do cities put salt on icy roads? Pure water freezes at zero degrees, but salt water needs a lower temperature.
A salted film of ice therefore melts, as long as it is not too cold: below about minus ten the effect is small, and
sand is used to roughen the surface instead. Salt is cheap and quick. It also harms trees, corrodes bridges and
finds its way into streams, and so many towns now spread it wet, in smaller amounts, and only on the main routes.

My grandfather's advice on chess was short. Develop your pieces before you attack. Do not move the same pawn twice
unless you enjoy losing. When you see a good move, sit on your hands and look for a better one. And if your opponent
is a child, lose slowly, so that the child has time to notice how it was done.

The experiment was repeated with thirty volunteers, half of whom slept for eight hours while the other half stayed
awake. In the morning both groups were asked to recall a list of forty words. Those who had slept remembered 23.4
words on average, the others 17.1; the difference was significant at the usual level. We cannot rule out that the
second group was simply less attentive, and a follow-up study will therefore test them again after a normal night.
"""
