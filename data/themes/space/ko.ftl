# 우주에서 벌이는 은행털이.
# Every station's name ends in 정거장, so the particles behind it are fixed.

heist-title = 우주 은행털이

heist-bank-0 = 달 정거장
heist-bank-1 = 궤도 정거장
heist-bank-2 = 소행성 정거장
heist-bank-3 = 성운 정거장
heist-bank-4 = 은하 정거장
heist-look = space

# The lobby
heist-opened = { $who }님이 { $stake } 걸고 수상한 항로를 짜고 있어요! !heist 띄고 금액을 써서 탑승하세요. { $seconds }초 뒤 발사!
    .text-2 = “이 시간엔 정거장도 잠들어요.” { $who }님이 { $stake } 걸고 속삭여요. !heist 띄고 금액을 써서 탑승하세요. { $seconds }초 뒤 발사!
    .text-3 = 우주선은 반쪽, 계획은 완벽! { $who }님이 { $stake } 걸었어요. !heist 띄고 금액을 써서 나머지 반쪽을 채워 주세요. 에어록은 { $seconds }초 뒤 닫혀요.
    .text-4 = 승객 여러분, { $who }님이 { $stake } 걸고 잠깐 샛길로 빠진대요. !heist 띄고 금액을 쓰면 자리가 나요. { $seconds }초 뒤 발사!
    .text-5 = { $who }님이 우주선에 ‘피자 배달’이라고 써 붙이고 { $stake } 걸었어요. !heist 띄고 금액을 써서 올라타세요. { $seconds }초 뒤 발사!
    .text-6 = 중력의 법칙도 법이라면 어겨 볼래요. { $who }님이 { $stake } 걸었어요! !heist 띄고 금액을 써서 합류하세요. { $seconds }초 뒤 발사!
heist-joined = { $who }님이 { $stake } 걸고 순간 이동으로 탑승! 크루는 이제 { $crew }명이에요.
    .text-2 = { $who }님이 우주복에 몸을 구겨 넣고 { $stake } 걸었어요. 크루 { $crew }명!
    .text-3 = 도킹 완료! { $who }님이 { $stake } 걸고 탑승했어요. 외계인 포함 { $crew }명이에요.
    .text-4 = { $who }님이 { $stake } 들고 에어록으로 둥실둥실 들어와요. 모두 { $crew }명!
    .text-5 = “이거 출근 셔틀 아니에요?” { $who }님이 그냥 { $stake } 걸고 앉았어요. 크루 { $crew }명!
    .text-6 = { $who }님이 탈출 포드 바로 옆자리를 잡고 { $stake } 걸었어요. 크루는 { $crew }명!
heist-you-joined = { $stake } 걸고 탑승했어요!
heist-reached = 크루 { $crew }명, 이제 { $bank }에도 도킹할 만해요!
    .text-2 = { $bank } 포착! 크루 { $crew }명이면 사정권이에요.
    .text-3 = 별 지도에서 { $bank }이 갑자기 작아 보여요. 크루는 { $crew }명!
    .text-4 = 새 항로가 열렸어요. { $bank }까지! 크루는 { $crew }명이에요.
    .text-5 = 항해사가 궤도를 지우고 새로 그려요. 이번엔 { $bank }! 크루는 { $crew }명이에요.
    .text-6 = 자동 조종 장치가 “진심이에요?” 하고 물어요. 크루 { $crew }명이면 { $bank }까지 갈지도 모르거든요!
heist-abandoned = 발사 취소! { $wanted }명이 필요한데 { $crew ->
    [0] 아무도 없어요.
   *[other] 사람은 { $crew }명만 모였어요.
  } 판돈은 모두 돌려드렸어요.
heist-too-late = 우주선이 이미 떠났어요. 이번 은행털이에는 더 탑승할 수 없어요.
heist-left = { $who }님이 { $stake } 돌려받고 탈출 포드로 내렸어요. { $crew ->
    [0] 이제 우주선에 아무도 없어요.
   *[other] 크루는 이제 { $crew }명이에요.
  }
heist-you-left = 땅으로 돌아왔어요. { $stake } 돌려받았어요.
heist-leave-too-late = 이미 우주선이 출발해서 내릴 수 없어요.

# The getaway
heist-going = { $crew ->
    [1] 크루는 단 한 명
   *[other] 크루 { $crew }명
  }{ $rabble ->
    [0] {""}
   *[other] , 밀항자 { $rabble }명
  }
heist-targeted = 항로 고정, { $bank }! { heist-going }, 걸린 판돈 { $staked }.
    .text-2 = 창밖 가득 { $bank }이 보여요. { heist-going }, 걸린 판돈 { $staked }.
    .text-3 = 엔진 끄고 불 끄고 { $bank }으로 살금살금! { heist-going }, 걸린 판돈 { $staked }.
    .text-4 = { $bank }에 ‘청소업체’라며 도킹을 요청했어요. { heist-going }, 걸린 판돈 { $staked }.
    .text-5 = { $bank }은 아직 아무것도 몰라요. { heist-going }, 걸린 판돈 { $staked }.
    .text-6 = 연료는 이제 편도뿐. 정면에 { $bank }! { heist-going }, 걸린 판돈 { $staked }.
heist-no-getaway = 지금은 행동을 고를 때가 아니에요. 털 정거장이 정해지면 고를 수 있어요.
heist-guards-enough = 이 정거장의 성공률은 경비원으로 더 올릴 수 없어요. 다른 행동을 고르세요.
heist-intel-enough = 이 정거장의 수익 배율은 정보로 더 올릴 수 없어요. 다른 행동을 고르세요.
heist-act-allin = 걸 수 있는 만큼 몽땅 걸고 혼자 건너가요.
heist-act-intel = 계획대로 가요. 성공하면 딴 돈으로 이 정거장의 수익 배율을 올려요.
heist-act-guard = 계획대로 가고, 경비원을 매수해 이 정거장의 성공률을 올려요.
heist-act-deposit = 계획대로 가요. 성공하면 딴 돈은 이 정거장 계좌에 넣어요.
heist-act-withdraw = 계획대로 가요. 성공하면 이 정거장 계좌의 돈을 몽땅 찾아 나와요.

# The outcome
heist-storming = { $committed ->
    [1] 우주복 한 벌이 { $bank } 안으로 둥둥 떠가요…
   *[other] 우주복 { $committed }벌이 { $bank } 안으로 둥둥 떠가요…
  }
    .text-2 = { $bank } 에어록이 쉭! { $committed ->
        [1] 강도 한 명이 안으로 사라져요…
       *[other] 강도 { $committed }명이 안으로 사라져요…
      }
    .text-3 = 자석 부츠 착용! { $committed ->
        [1] 혼자서
       *[other] { $committed }명이
      } { $bank }에 뛰어들어요. 산소가 줄어들고 있어요…
    .text-4 = “움직이지 마세요, 도킹 오류입니다!” { $bank }에 불청객이 { $committed ->
        [1] 딱 한 명
       *[other] { $committed }명
      } 나타났어요…
    .text-5 = { $bank } 벽에 동그란 구멍이 뻥! { $committed ->
        [1] 강도 한 명이 혼자
       *[other] 강도 { $committed }명이
      } 기어 들어가요…
    .text-6 = 빨간 불, 사이렌, 무중력! { $bank } 안에서 { $committed ->
        [1] 강도 혼자
       *[other] 강도 { $committed }명이
      } 거꾸로 떠다녀요…
heist-storming-fewer = { $committed ->
    [0] { $heisters ->
        [1] 하나뿐인 강도가 { $bank } 에어록을 붙잡고 놓지 않아요…
       *[other] 강도 { $heisters }명 모두 { $bank } 에어록을 붙잡고 놓지 않아요…
      }
   *[other] 강도 { $heisters }명 중 { $committed }명이 { $bank }에 들어가요. 나머지는 우주선을 붙잡고 놓지 않아요…
  }
heist-nobody-went = 아무도 우주선에서 내리지 않았어요. { $bank }에서는 다들 수프만 먹고 있어요.
heist-solo-success = { $who }님이 해냈어요! { $bank } 돈을 챙겨 둥실둥실 빠져나와요!
    .text-2 = { $who }님, 휘파람을 불며 { $bank } 정문 에어록으로 퇴장! 우주라서 아무도 못 들었어요.
    .text-3 = { $bank } 카메라에 찍힌 건 혜성 하나뿐. { $who }님 탈출 성공!
    .text-4 = 우주복 하나, 제트팩 하나, 목격자 없음. { $who }님이 { $bank }에서 빠져나왔어요!
    .text-5 = 튜브 수프가 식기도 전에 { $who }님이 { $bank }을 다녀갔네요!
    .text-6 = “즐거운 비행 되세요!” { $bank } 보안 로봇이 { $who }님을 배웅했어요. 탈출!
heist-solo-failure = { $who }님이 { $bank } 금고에서 둥둥 뜬 채로 붙잡혔어요.
    .text-2 = { $who }님이 { $bank }에 하나뿐인 빨간 버튼을 눌렀어요. 경보 버튼이었어요.
    .text-3 = { $bank } 견인 광선이 { $who }님을 붙잡고 놓아주지 않아요.
    .text-4 = 자석 부츠를 깜빡한 { $who }님, { $bank } 경비원들 앞을 둥실둥실 지나갔어요. 검거!
    .text-5 = { $bank } 에어록이 { $who }님에게 비밀번호를 물었어요. “부탁해요”는 아니었어요.
    .text-6 = { $who }님이 지나가는 위성에 손을 흔들었어요. { $bank } 위성이었어요. 검거!
heist-all-escape = 깔끔한 궤도! { $went }명 전원이 { $bank }을 털고 달아났어요!
    .text-2 = 초광속 돌입! { $bank }에서 { $went }명 전원 탈출!
    .text-3 = { $bank } 금고가 무중력처럼 가벼워졌어요. { $went }명 모두 무사히 도망!
    .text-4 = { $went }명이 도킹해서 { $went }명이 떠났어요. { $bank } 완패!
    .text-5 = 화물칸은 가득, 연료도 넉넉! { $bank }에서 { $went }명 모두 빠져나왔어요!
    .text-6 = 작은 발걸음 하나, 지갑에는 위대한 도약! { $bank }을 턴 { $went }명 모두 자유의 몸!
heist-most-escape = { $bank } 견인 광선이 한발 늦었어요. { $went }명 중 { $won }명이 달아났어요!
    .text-2 = { $bank }에서 { $went }명 중 { $won }명 도약 성공! 이만하면 훌륭해요.
    .text-3 = 순찰선이 달에서 길을 잘못 들었어요. { $bank }에서 { $went }명 중 { $won }명이 빠져나와요!
    .text-4 = 빈자리가 생겼지만 { $bank }에서 { $went }명 중 { $won }명이 달아났어요!
    .text-5 = { $bank } 문이 닫히기 직전, { $went }명 중 { $won }명이 우주선에 올라탔어요!
    .text-6 = 연기와 불꽃, 그리고 환기구. { $bank }에서 { $went }명 중 { $won }명 탈출!
heist-few-escape = { $bank }은 방어막을 켜 두고 있었어요. { $went }명 중 { $won }명만 달아났어요.
    .text-2 = 사방에서 레이저! { $bank }에서 { $went }명 중 { $won }명만 빠져나왔어요.
    .text-3 = 우주선이 거의 빈 채로 { $bank }을 떠나요. { $went }명 중 { $won }명 탈출.
    .text-4 = { $bank } 로봇들이 야근까지 했어요. { $went }명 중 { $won }명만 자유의 몸이에요.
    .text-5 = 누군가 { $bank } 중력을 다시 켰어요. { $went }명 중 { $won }명만 달아났어요.
    .text-6 = { $bank }에서 뛰어내린 { $went }명 중 { $won }명만 방향이 맞았어요.
heist-none-escape = 미끼였어요! { $bank }에 들어간 { $went }명 중 아무도 빠져나오지 못했어요.
    .text-2 = { $bank } 에어록이 밖에서 잠겼어요. { $went }명 중 아무도 못 빠져나왔어요!
    .text-3 = { $bank } 청소 로봇이 전부 경찰 로봇이었어요. { $went }명 중 아무도 못 빠져나왔어요!
    .text-4 = { $went }명이 도킹해서 아무도 못 떠났어요. { $bank }에는 수프가 넉넉하대요.
    .text-5 = 우주선을 주차 금지 궤도에 세웠다가 견인됐어요. { $bank } 앞에서 { $went }명 모두 발이 묶였어요.
    .text-6 = { $bank } 견인 광선은 뭐든 모으는 게 취미래요. { $went }명 중 아무도 못 빠져나왔어요.
heist-rabble = 밀항자 { $went }명 중 { $won }명이 달아났어요.
heist-crossed = 뒤통수! 동료들이 딴 돈 { $loot } 들고 튄 배신자: { $crossers }
    .text-2 = 모두가 별을 보는 사이 동료들 몫 { $loot } 챙긴 배신자: { $crossers }
    .text-3 = 화물칸이 너무 가벼워요! 동료들 몫 { $loot } 들고 사라진 배신자: { $crossers }

# Odds and the board
heist-odds-generous = 환급률이 100%를 넘는 정거장은 길게 보면 가져가는 것보다 더 많이 돌려줘요.
heist-fact-bank = 정거장
heist-fact-rabble = 밀항자
heist-note-lobby = !heist 띄고 금액을 써서 탑승하세요.
heist-note-next-time = 이번 우주선은 떠났어요. 다음 편에 함께해요.
heist-note-storming = 지금 정거장 안이에요…
heist-note-over = 별 먼지가 가라앉았어요.
heist-phase-lobby = 탑승
heist-phase-getaway = 접근
heist-phase-storming = 도킹
